import type { PackFailure } from "../pack-failure.ts";
import type { PackLimits } from "../pack-limits.ts";
import { type PackManifest, renderManifest } from "./manifest.ts";
import type { OutputFile } from "./place-files.ts";
import type { PreparedSkill } from "./prepare-skill.ts";

/** Refuses one archive of all these skills that a reader with these limits would refuse. */
export function checkPackSize(
  skills: readonly PreparedSkill[],
  manifest: PackManifest,
  limits: PackLimits,
): PackFailure | undefined {
  const folders = skills.reduce((sum, skill) => sum + skill.folders + 1, 0);
  if (folders > limits.files) return tooMuch(`the pack would have ${folders} folders`);
  const contents = skills.flatMap(({ files }) => files.map(({ content }) => content.length));
  const listed = Buffer.byteLength(renderManifest(manifest));
  const bytes = contents.reduce((sum, size) => sum + size, listed);
  return bytes > limits.bytes ? tooMuch(`the pack would unpack to ${bytes} bytes`) : undefined;
}

export function checkOutputSize(
  outputs: readonly OutputFile[],
  { archiveBytes }: PackLimits,
): PackFailure | undefined {
  const large = outputs.find(({ content }) => content.length > archiveBytes);
  if (large === undefined) return undefined;
  return tooMuch(`${JSON.stringify(large.file)} would have ${large.content.length} bytes`);
}

function tooMuch(what: string): PackFailure {
  return {
    ok: false,
    code: "limit-exceeded",
    message: `${what}, more than installers accept`,
    hint: "make several packs, or raise the limits here and there",
  };
}
