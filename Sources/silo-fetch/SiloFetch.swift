@main enum SiloFetch { static func main() {} }
