const BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ["css", "text/css"],
  ["csv", "text/csv"],
  ["gif", "image/gif"],
  ["htm", "text/html"],
  ["html", "text/html"],
  ["jpeg", "image/jpeg"],
  ["jpg", "image/jpeg"],
  ["js", "text/javascript"],
  ["json", "application/json"],
  ["md", "text/markdown"],
  ["mjs", "text/javascript"],
  ["pdf", "application/pdf"],
  ["png", "image/png"],
  ["py", "text/x-python"],
  ["sh", "application/x-sh"],
  ["svg", "image/svg+xml"],
  ["toml", "application/toml"],
  ["webp", "image/webp"],
  ["xml", "application/xml"],
  ["yaml", "application/yaml"],
  ["yml", "application/yaml"],
  ["zip", "application/zip"],
]);

/** By the name of a file; the content only tells text from the rest. */
export function mediaType(path: string, isText: boolean): string {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return BY_EXTENSION.get(extension) ?? (isText ? "text/plain" : "application/octet-stream");
}
