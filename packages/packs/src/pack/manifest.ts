import { type FileDigest, canonicalJson } from "@skillwright/core/internal";

/** Where a pack says what it holds: at the root of the archive, beside the folders of the skills. */
export const MANIFEST_FILE = "manifest.json";

/** What is in a pack. Signatures are made over its text, so there is one text for each content. */
export interface PackManifest {
  readonly schemaVersion: 1;
  /** In byte order of their paths. */
  readonly skills: readonly ManifestSkill[];
}

export interface ManifestSkill {
  readonly name: string;
  /** The skill's folder in the pack; empty for a single skill at the root. */
  readonly path: string;
  readonly version?: string;
  readonly description: string;
  /** As `skillDigest` of core computes it: over content only, whatever compressed it. */
  readonly digest: string;
  /** In byte order of their paths. */
  readonly files: readonly ManifestFile[];
}

/** Path relative to the skill, with `/`. */
export interface ManifestFile extends FileDigest {
  readonly executable?: true;
}

/** The only text of a manifest: names in order, two blanks, a newline at the end. */
export function renderManifest(manifest: PackManifest): string {
  return canonicalText(manifest);
}

/** JSON with the names of each object in order, so that equal values have equal text. */
export function canonicalText(value: unknown): string {
  return `${canonicalJson(value, { indent: 2 })}\n`;
}
