import { combineDigests, quoteName } from "@skillwright/core/internal";
import { byteOrder } from "../byte-order.ts";
import { relativePathProblem, skillFolderProblem } from "./relative-path-problem.ts";

/** The fields that are known, in the order they are written. */
export const LOCK_FIELDS = ["schemaVersion", "skills"];
export const SKILL_FIELDS = [
  "name",
  "origin",
  "skillPath",
  "digest",
  "files",
  "signer",
  "signature",
  "linked",
];
export const ORIGIN_FIELDS = ["type", "source", "ref", "resolved", "path", "integrity"];

const ORIGIN_TYPES: ReadonlySet<unknown> = new Set([
  "local",
  "archive",
  "git",
  "npm",
  "url",
  "well-known",
]);
const MAX_DEPTH = 32;

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/;

/** The first thing that is wrong with a lock, with its place in the JSON. */
export function lockProblem(lock: unknown): string | undefined {
  if (!isRecord(lock)) return "must be a JSON object";
  if (lock["schemaVersion"] !== 1) {
    const found = JSON.stringify(lock["schemaVersion"]) ?? "missing";
    return `schemaVersion is ${found.slice(0, 20)}, and only 1 is known here`;
  }
  const skills = lock["skills"];
  if (!isRecord(skills)) return "skills must be an object";
  for (const path of Object.keys(skills)) {
    const wrong = skillFolderProblem(path);
    const problem = wrong === undefined ? skillProblem(skills[path]) : `: the path ${wrong}`;
    if (problem !== undefined) return `skills[${quoteName(path)}]${problem}`;
  }
  return unknownProblem(lock, LOCK_FIELDS)?.slice(1);
}

/** To be read after the name of the skill. */
function skillProblem(skill: unknown): string | undefined {
  if (!isRecord(skill)) return " must be an object";
  const { name, skillPath, signer, signature, linked } = skill;
  if (!isText(name) || name === "") return ".name must be a text";
  if (!isText(skillPath)) return ".skillPath must be a text";
  if (signer !== undefined && !isText(signer)) return ".signer must be a text";
  if (signature !== undefined && !isDigest(signature)) {
    return ".signature must be sha256: and 64 hexadecimal digits";
  }
  if (linked !== undefined && linked !== true) return ".linked must be true or absent";
  const wrong = skillPath === "" ? undefined : relativePathProblem(skillPath);
  if (wrong !== undefined) return `.skillPath ${wrong}`;
  const origin = originProblem(skill["origin"]);
  if (origin !== undefined) return `.origin${origin}`;
  return filesProblem(skill) ?? unknownProblem(skill, SKILL_FIELDS);
}

function originProblem(origin: unknown): string | undefined {
  if (!isRecord(origin)) return " must be an object";
  const { type, source, ref, resolved, path, integrity } = origin;
  if (!ORIGIN_TYPES.has(type)) return `.type must be one of ${[...ORIGIN_TYPES].join(", ")}`;
  if (!isText(source) || source === "") return ".source must be a text";
  if (ref !== undefined && !isText(ref)) return ".ref must be a text";
  if (resolved !== undefined && !isText(resolved)) return ".resolved must be a text";
  if (path !== undefined && !isText(path)) return ".path must be a text";
  const wrong = path === undefined || path === "" ? undefined : relativePathProblem(path);
  if (wrong !== undefined) return `.path ${wrong}`;
  if (integrity !== undefined && !isDigest(integrity)) {
    return ".integrity must be sha256: and 64 hexadecimal digits";
  }
  return unknownProblem(origin, ORIGIN_FIELDS);
}

function filesProblem({ files, digest }: Readonly<Record<string, unknown>>): string | undefined {
  if (!isRecord(files)) return ".files must be an object";
  const paths = Object.keys(files);
  for (const path of paths) {
    const wrong = relativePathProblem(path);
    if (wrong !== undefined) return `.files[${quoteName(path)}]: the path ${wrong}`;
    const sha256 = files[path];
    if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256)) {
      return `.files[${quoteName(path)}] must be 64 hexadecimal digits`;
    }
  }
  const sorted = paths.sort(byteOrder);
  const digests = sorted.map((path) => ({ path, sha256: files[path] as string, size: 0 }));
  return combineDigests(digests) === digest ? undefined : ".digest is not that of its files";
}

/** Fields of later versions are kept as they are, which must be safe to copy and to walk. */
function unknownProblem(
  record: Readonly<Record<string, unknown>>,
  known: readonly string[],
): string | undefined {
  const unsafe = Object.keys(record).find(
    (field) =>
      !known.includes(field) && (field === "__proto__" || !isSafeValue(record[field], MAX_DEPTH)),
  );
  return unsafe === undefined ? undefined : `.${quoteName(unsafe)} is not allowed`;
}

function isSafeValue(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0 || Object.hasOwn(value, "__proto__")) return false;
  return Object.values(value).every((child) => isSafeValue(child, depth - 1));
}

function isDigest(value: unknown): boolean {
  return typeof value === "string" && /^sha256:[0-9a-f]{64}$/.test(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One line of bounded length. */
function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= 4096 && !CONTROLS.test(value);
}
