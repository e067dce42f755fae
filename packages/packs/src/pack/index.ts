/** What tests use of this folder; sources import the files themselves. */

export { checkManifest } from "./check-manifest.ts";
export { canonicalText, type ManifestFile, renderManifest } from "./manifest.ts";
export { packSkills } from "./pack-skills.ts";
export { placeFiles } from "./place-files.ts";
export { readManifest } from "./read-manifest.ts";
export { writeZip } from "./write-zip.ts";
