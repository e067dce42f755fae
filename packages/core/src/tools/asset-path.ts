import type { Failure } from "../failure.ts";

const ASSET_FOLDERS = ["references", "reference", "assets", "scripts"];

/** Whether a plain path is one of what the preset `sop` calls assets. */
export function isAsset(path: string): boolean {
  return ASSET_FOLDERS.some((folder) => path.startsWith(`${folder}/`));
}

export function noAsset(path: string): Failure<"path-not-allowed"> {
  return {
    ok: false,
    code: "path-not-allowed",
    message: `${JSON.stringify(path)} is not under references/, assets/ or scripts/`,
    hint: "Only files in these folders can be loaded.",
  };
}
