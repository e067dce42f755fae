const MAX_PATH_LENGTH = 1024;

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/;

/** What nearly every path looks like, and nothing is wrong with. */
const USUAL = /^\.?[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

/** Why a path from a file that anybody may have written cannot be used below a folder, if so. */
export function relativePathProblem(path: string): string | undefined {
  if (path.length <= 255 && USUAL.test(path)) return undefined;
  if (path === "") return "is empty";
  if (path.length > MAX_PATH_LENGTH) return `is longer than ${MAX_PATH_LENGTH} characters`;
  if (CONTROLS.test(path)) return "holds a control character";
  if (path.includes("\\")) return "holds a backslash; folders are parted by /";
  if (path.startsWith("/") || /^[a-z]:/i.test(path)) return "is absolute";
  if (/[\p{Cs}\uFFFD]/u.test(path)) return "is not valid Unicode";
  const segments = path.split("/");
  if (segments.includes("..")) return "leads upwards";
  if (segments.includes("") || segments.includes(".")) return "has an empty segment";
  return undefined;
}

/** As `relativePathProblem`, for the folder of a skill: no place that belongs to others. */
export function skillFolderProblem(path: string): string | undefined {
  const problem = relativePathProblem(path);
  if (problem !== undefined) return problem;
  const foreign = path.split("/").find((segment) => RESERVED.has(segment.toLowerCase()));
  return foreign === undefined ? undefined : `names ${JSON.stringify(foreign)}`;
}

const RESERVED: ReadonlySet<string> = new Set([".git", ".skillwright", "__proto__"]);
