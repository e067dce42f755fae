export interface DirectoryEntry {
  /** Relative to the walked folder, with `/` on every platform. */
  readonly path: string;
  readonly kind: "file" | "link" | "special";
  readonly size: number;
  /** Permission bits; 0 where the platform has none. */
  readonly mode: number;
  /** How many names the file has. */
  readonly links: number;
}
