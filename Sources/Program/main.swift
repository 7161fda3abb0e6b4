import TexelCLI

await Program.main()
