/** The package's main file is UMD with inner requires, which bundlers leave unresolved. This one has none. */
declare module "jsonc-parser/lib/umd/impl/scanner.js" {
  import type { createScanner } from "jsonc-parser";

  const scanner: { readonly createScanner: typeof createScanner };
  export default scanner;
}
