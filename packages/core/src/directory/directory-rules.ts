import { fenceAfter, findReferences } from "../format/body/markdown.ts";
import { nearNames } from "../format/names.ts";
import { plural } from "../internal/text.ts";
import { defineDirectoryRule, withFolders } from "./skill-directory.ts";

const MAX_FILES = 2000;
const MAX_BYTES = 50 * 1024 * 1024;

const directoryTooLarge = defineDirectoryRule({
  code: "directory-too-large",
  severity: "warning",
  strict: "error",
  summary: "The skill has more than 2,000 files or 50 MiB.",
  explanation:
    "Installers refuse packs of this size by default, and every approval hashes all of it. Generated files, dependencies and datasets do not belong in a skill.",
  example: { bad: "assets/node_modules/ with 9,000 files", good: "assets/template.json" },
  inspect({ entries, truncated }, report) {
    const bytes = entries.reduce((sum, { size }) => sum + size, 0);
    if (entries.length <= MAX_FILES && bytes <= MAX_BYTES && !truncated) return;
    const mebibytes = (bytes / 1024 / 1024).toFixed(1);
    const more = truncated ? "more than " : "";
    report({
      message: `the skill has ${more}${entries.length} files and ${mebibytes} MiB`,
      hint: `at most ${MAX_FILES} files and ${MAX_BYTES / 1024 / 1024} MiB are accepted by installers`,
    });
  },
});

export const encodingInvalid = defineDirectoryRule({
  code: "encoding-invalid",
  severity: "warning",
  strict: "error",
  summary: "SKILL.md is not valid UTF-8.",
  explanation:
    "Bytes that are not UTF-8 become replacement characters, differently in different clients. UTF-16 is read here and nowhere else.",
  example: { bad: "SKILL.md saved as UTF-16 or Latin-1", good: "SKILL.md saved as UTF-8" },
});

const DOCUMENT = /\.(?:md|txt|json|ya?ml|csv|tsv|html?|css|svg|png|jpe?g|gif|pdf)$/i;
const SHELL_SCRIPT = /^scripts\/.*\.(?:sh|bash)$/;

const executableBit = defineDirectoryRule({
  code: "executable-bit",
  severity: "info",
  summary: "An executable bit does not fit the file.",
  explanation:
    "A script with a `#!` line is meant to be run directly and needs the bit; a document does not. Scripts run through their interpreter here either way.",
  example: { bad: "-rwxr-xr-x references/FORMS.md", good: "-rw-r--r-- references/FORMS.md" },
  inspect({ entries }, report) {
    if (process.platform === "win32") return;
    for (const { path, kind, mode } of entries) {
      if (kind !== "file") continue;
      const executable = (mode & 0o111) !== 0;
      if (executable && DOCUMENT.test(path)) {
        report({ path, message: `\`${path}\` is executable`, hint: `chmod -x ${path}` });
      } else if (!executable && SHELL_SCRIPT.test(path)) {
        report({ path, message: `\`${path}\` is not executable`, hint: `chmod +x ${path}` });
      }
    }
  },
});

const USUAL_FOLDERS: ReadonlySet<string> = new Set([
  "scripts",
  "references",
  "reference",
  "assets",
  "evals",
]);
const USUAL_FILES =
  /^(?:SKILL\.md|(?:LICEN[CS]E|NOTICE|README|CHANGELOG|AUTHORS|SECURITY)(?:[.-].*)?|manifest\.json|\..*)$/i;

const fileMisplaced = defineDirectoryRule({
  code: "file-misplaced",
  severity: "info",
  summary: "A file is outside the usual folders.",
  explanation:
    "Clients look for scripts in `scripts/`, documents in `references/`, templates and other material in `assets/`, tests in `evals/`. Notices such as LICENSE and README belong to the top.",
  example: { bad: "format-dates/run.py", good: "format-dates/scripts/run.py" },
  inspect({ entries }, report) {
    const misplaced = entries
      .map(({ path }) => path)
      .filter((path) => {
        const [folder = "", ...rest] = path.split("/");
        return rest.length === 0 ? !USUAL_FILES.test(path) : !USUAL_FOLDERS.has(folder);
      });
    const [path = "", ...others] = misplaced;
    if (path === "") return;
    const more = others.length === 0 ? "is" : `and ${plural(others.length, "other file")} are`;
    report({ path, message: `\`${path}\` ${more} outside the usual folders`, ...hintFor(path) });
  },
});

function hintFor(path: string) {
  if (/\.(?:py|sh|bash|js|mjs|cjs|ts|rb|pl|ps1)$/i.test(path))
    return { hint: "move it to `scripts/`" };
  return /\.(?:md|txt|rst|pdf)$/i.test(path) ? { hint: "move it to `references/`" } : undefined;
}

const linkInside = defineDirectoryRule({
  code: "link-inside",
  severity: "error",
  summary: "The skill contains a symbolic link.",
  explanation:
    "A link can lead to any file of the machine, so links below a skill's folder are never followed. The folder itself may be a link.",
  example: { bad: "references/keys -> /home/ada/.ssh", good: "references/keys.md" },
  inspect({ entries }, report) {
    for (const { path, kind } of entries) {
      if (kind !== "link") continue;
      const hint = "replace it with a copy of the file";
      report({ path, message: `\`${path}\` is a symbolic link and is never followed`, hint });
    }
  },
});

const pathCollision = defineDirectoryRule({
  code: "path-collision",
  severity: "error",
  summary: "Two files have the same name on some systems.",
  explanation:
    "macOS and Windows do not distinguish `Forms.md` from `forms.md`, or two Unicode spellings of `é`; one of the two would be lost.",
  example: {
    bad: "references/Forms.md, references/forms.md",
    good: "references/forms.md, references/forms-2.md",
  },
  inspect({ entries }, report) {
    const seen = new Map<string, string>();
    for (const { path } of entries) {
      const clash = withFolders(path).find((place) => {
        const folded = place.normalize("NFKC").toLowerCase();
        if (!seen.has(folded)) seen.set(folded, place);
        return seen.get(folded) !== place;
      });
      if (clash === undefined) continue;
      const other = seen.get(clash.normalize("NFKC").toLowerCase()) ?? "";
      report({ path, message: `\`${clash}\` and \`${other}\` are the same on some systems` });
    }
  },
});

const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

const pathUnsafe = defineDirectoryRule({
  code: "path-unsafe",
  severity: "error",
  summary: "A file's name does not work everywhere.",
  explanation:
    "Control characters, backslashes, names that Windows reserves, and trailing dots or blanks make archives unsafe or files unreachable on another system.",
  example: { bad: "references/aux.md", good: "references/auxiliary.md" },
  inspect({ entries }, report) {
    for (const { path } of entries) {
      const problem = pathProblem(path);
      if (problem === undefined) continue;
      report({ path, message: `${JSON.stringify(path)} ${problem}`, hint: "rename the file" });
    }
  },
});

function pathProblem(path: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\uFFFD]/.test(path))
    return "has characters that are not allowed";
  if (/[\\:*?"<>|]/.test(path)) return "has characters that Windows does not allow";
  const segments = path.split("/");
  if (segments.some((segment) => RESERVED.test(segment))) return "is a name that Windows reserves";
  if (segments.some((segment) => /[. ]$/.test(segment))) return "ends in a dot or blank";
  return segments.some((segment) => Buffer.byteLength(segment) > 255) ? "is too long" : undefined;
}

/** Comparing names is slow; the first few show what is wrong. */
const MAX_SUGGESTIONS = 20;

const referenceDead = defineDirectoryRule({
  code: "reference-dead",
  severity: "warning",
  summary: "The body names a file that is not there.",
  explanation: "A model that is told to read `references/FORMS.md` will try, fail, and improvise.",
  example: {
    bad: "See [forms](references/FORMS.md)  # no such file",
    good: "See [forms](references/forms.md)",
  },
  inspect({ entries, truncated, skill, bodyStart }, report) {
    if (skill === undefined || truncated) return;
    const { body } = skill;
    const files = entries.map(({ path }) => path.normalize("NFC"));
    const paths = new Set(files.flatMap(withFolders));
    const dead = new Set<string>();
    for (const { path, kind, start, end } of findReferences(body)) {
      if (kind === "mention" && isExample(body, start)) continue;
      const wanted = path.normalize("NFC").replace(/\/+$/, "");
      if (wanted.split("/").includes("..") || paths.has(wanted) || dead.has(wanted)) continue;
      dead.add(wanted);
      const [near] = dead.size > MAX_SUGGESTIONS ? [] : nearNames(wanted, files, 1);
      report({
        start: bodyStart + start,
        end: bodyStart + end,
        message: `\`${path}\` does not exist`,
        ...(near === undefined ? undefined : { hint: `did you mean \`${near}\`?` }),
      });
    }
  },
});

const EXAMPLE = /\b(?:e\.g\.|examples?|for instance|such as|like|named?|called)\b|例如|比如|[├└│]/i;
const DATA_FENCE = /^ {0,3}(?:`{3,}|~{3,})(?:markdown|md|ya?ml|json|te?xt|xml|html|diff)\b/i;

/** What a line, a heading or a block shows as an example of a skill need not be there. */
function isExample(body: string, at: number): boolean {
  const before = body.slice(0, at).split("\n");
  const line = before.pop() ?? "";
  if (EXAMPLE.test(line)) return true;
  let fence = "";
  let opening = "";
  let heading = "";
  for (const one of before) {
    const wasOpen = fence !== "";
    fence = fenceAfter(one, fence);
    if (!wasOpen && fence !== "") opening = one;
    if (!wasOpen && fence === "" && one.startsWith("#")) heading = one;
  }
  return (fence !== "" && DATA_FENCE.test(opening)) || /\bexamples?\b|示例|例子/i.test(heading);
}

const referenceOutside = defineDirectoryRule({
  code: "reference-outside",
  severity: "warning",
  summary: "The body refers to a file outside the skill.",
  explanation:
    "A skill is installed as a separate folder and can read nothing else; a path with `..` leads nowhere.",
  example: {
    bad: "See [style guide](../../docs/STYLE.md)",
    good: "See [style guide](references/STYLE.md)",
  },
  inspect({ skill, bodyStart }, report) {
    for (const { path, start, end } of findReferences(skill?.body ?? "")) {
      if (!path.split(/[/\\]/).includes("..")) continue;
      report({
        start: bodyStart + start,
        end: bodyStart + end,
        message: `\`${path}\` is outside the skill and cannot be read`,
        hint: "copy the file into `references/`",
      });
    }
  },
});

export const skillFileMissing = defineDirectoryRule({
  code: "skill-file-missing",
  severity: "error",
  effect: "skipped",
  summary: "The folder has no file named exactly `SKILL.md`.",
  explanation:
    "The name is part of the format. On a case-insensitive disk `skill.md` seems to work and is lost on the next one.",
  example: { bad: "format-dates/skill.md", good: "format-dates/SKILL.md" },
});

export const skillFileTooLarge = defineDirectoryRule({
  code: "skill-file-too-large",
  severity: "error",
  effect: "skipped",
  summary: "SKILL.md is larger than 1 MiB.",
  explanation:
    "The largest of fifteen thousand public skills has 160 KB. Move content into files under `references/`.",
  example: {
    bad: "SKILL.md with 3 MiB",
    good: "SKILL.md with the steps, tables under references/",
  },
});

export const skillFileUnreadable = defineDirectoryRule({
  code: "skill-file-unreadable",
  severity: "error",
  effect: "skipped",
  summary: "SKILL.md cannot be read.",
  explanation:
    "It is not a regular file, a symbolic link, or its permissions do not allow it. Links inside a skill are refused because they can lead to any file of the machine; the skill's folder itself may be a link.",
  example: { bad: "format-dates/SKILL.md -> ../../notes.md", good: "format-dates/SKILL.md" },
});

export const specialFile = defineDirectoryRule({
  code: "special-file",
  severity: "error",
  summary: "The skill contains something that is neither a file nor a folder.",
  explanation:
    "Named pipes, sockets and devices hang or harm programs that read them; no skill needs one. A folder without permission to read it cannot be checked, hashed or used.",
  example: { bad: "assets/queue (a named pipe)", good: "assets/queue.json" },
  inspect({ entries, unreadable }, report) {
    for (const path of unreadable) {
      report({
        path,
        message: `the folder \`${path}\` cannot be read`,
        hint: `chmod u+rx ${path}`,
      });
    }
    for (const { path, kind } of entries) {
      if (kind !== "special") continue;
      report({ path, message: `\`${path}\` is a pipe, socket or device`, hint: "remove it" });
    }
  },
});

export const directoryRules = [
  directoryTooLarge,
  encodingInvalid,
  executableBit,
  fileMisplaced,
  linkInside,
  pathCollision,
  pathUnsafe,
  referenceDead,
  referenceOutside,
  skillFileMissing,
  skillFileTooLarge,
  skillFileUnreadable,
  specialFile,
] as const;
