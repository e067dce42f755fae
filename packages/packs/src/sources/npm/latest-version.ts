import type { PackFailure } from "../../pack-failure.ts";
import type { NpmSource } from "../parse/parsed-source.ts";
import { npmFailure } from "./npm-failure.ts";
import { openNpm, type NpmOptions } from "./open-npm.ts";

/** The version that `npm pack` would take now: the one tagged latest if it fits, else the highest. */
export async function latestVersion(
  { source, ref }: NpmSource,
  folder: string,
  options: NpmOptions,
): Promise<{ readonly ok: true; readonly resolved: string } | PackFailure> {
  const npm = openNpm(folder, options);
  if (!npm.ok) return npm;
  const spec = ref === undefined ? source : `${source}@${ref}`;
  const result = await npm.run(["view", "--", spec, "version"]);
  if (result.ended !== "exit" || result.status !== 0) return npmFailure(spec, result);
  const versions = versionsIn(result.stdout.toString("utf8"));
  const highest = versions.at(-1);
  if (highest === undefined) return npmFailure(spec, result);
  if (versions.length === 1) return { ok: true, resolved: highest };
  const tagged = await npm.run(["view", "--", source, "version"]);
  const [latest] = versionsIn(tagged.stdout.toString("utf8"));
  const isFitting = latest !== undefined && versions.includes(latest);
  return { ok: true, resolved: isFitting ? latest : highest };
}

/** One version as a text, several as a list from low to high. */
function versionsIn(output: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(output);
    const versions: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
    return versions.filter((version) => typeof version === "string");
  } catch {
    return [];
  }
}
