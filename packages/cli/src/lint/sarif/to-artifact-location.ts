import { isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { relativePath } from "../../terminal/relative-path.ts";

export interface ArtifactLocation {
  readonly uri: string;
  readonly uriBaseId?: "%SRCROOT%";
}

/** Relative to the root of the source where possible, so that a log says the same everywhere. */
export function toArtifactLocation(file: string, cwd: string): ArtifactLocation {
  const path = relativePath(file, cwd);
  if (path.startsWith("../") || path === ".." || isAbsolute(path)) {
    return { uri: pathToFileURL(resolve(cwd, file)).href };
  }
  // encodeURIComponent throws at lone surrogates, which file names on Windows may have.
  const segments = path
    .replaceAll(/\p{Cs}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent);
  return { uri: segments.join("/"), uriBaseId: "%SRCROOT%" };
}
