import type { Diagnostic } from "../format/diagnostic.ts";
import type { Rule } from "../format/draft.ts";

/** Findings about roots and about skills in relation to each other. */
export const rootMissing = {
  code: "root-missing",
  severity: "warning",
  summary: "A configured folder of skills does not exist.",
  explanation:
    "Default folders may be missing; one that was named by configuration or flag should be there.",
  example: { bad: '{ "skill_roots": ["skils"] }', good: '{ "skill_roots": ["skills"] }' },
} as const satisfies Rule;

export const rootEmpty = {
  code: "root-empty",
  severity: "warning",
  summary: "A configured folder of skills has no skills in it.",
  explanation:
    "Default folders may be empty; one that was named by configuration or flag should have a folder with a SKILL.md. Often the path is one level too deep or too high, or a `.gitignore` leaves the skills out.",
  example: {
    bad: '{ "skill_roots": ["docs"] }',
    good: '{ "skill_roots": ["docs/skills"] }',
  },
} as const satisfies Rule;

export const rootUnreadable = {
  code: "root-unreadable",
  severity: "warning",
  summary: "A folder of skills, or one below it, cannot be read.",
  explanation: "Its skills are not known. Check its permissions, or take it out of the roots.",
  example: { bad: "d--------- .agent/skills", good: "drwxr-xr-x .agent/skills" },
} as const satisfies Rule;

export const scanLimit = {
  code: "scan-limit",
  severity: "warning",
  summary: "The search for skills stopped at a limit.",
  explanation:
    "Folders are searched six levels deep, and at most 2,000 folders without a skill below a root, so that a root set to a whole disk does no harm. Name a root nearer to the skills.",
  example: { bad: '{ "skill_roots": ["/"] }', good: '{ "skill_roots": ["tools/skills"] }' },
} as const satisfies Rule;

export const linkNotSearched = {
  code: "link-not-searched",
  severity: "warning",
  summary: "A link below a root leads to a folder of skills, which is not searched.",
  explanation:
    "A root may be a link, and so may the folder of a skill. Links to folders of skills are not followed: they could lead anywhere, and in circles. Name the folder as a root of its own, or link each skill.",
  example: {
    bad: ".agent/skills/acme -> /opt/acme-skills",
    good: '{ "skill_roots": [".agent/skills", "/opt/acme-skills"] }',
  },
} as const satisfies Rule;

export const sourceFailed = {
  code: "source-failed",
  severity: "error",
  summary: "A source of skills failed.",
  explanation:
    "A source must not throw. Its skills are not known; those of the other sources are. The message is that of the error.",
  example: {
    bad: 'scan() { throw new Error("offline"); }',
    good: "scan() { return { skills: [], diagnostics: [offline] }; }",
  },
} as const satisfies Rule;

export const skillShadowed = {
  code: "skill-shadowed",
  severity: "info",
  summary: "Another skill of the same name comes first.",
  explanation:
    "Project skills come before the user's, and those before the built-in ones, except that a skill which is not trusted never takes the place of one that is. The shadowed skill stays reachable as `name@source`.",
  example: { bad: "~/.agent/skills/pdf, .agent/skills/pdf", good: "~/.agent/skills/pdf-personal" },
} as const satisfies Rule;

export const nameRepeated = {
  code: "name-repeated",
  severity: "warning",
  summary: "Two skills of one root have the same name.",
  explanation:
    "Names are compared without regard to case and Unicode form. The first by path has the name, and is the one that models are told of; the other is reachable by its folder, such as `org/pdf`.",
  example: { bad: "a/pdf/SKILL.md, b/pdf/SKILL.md", good: "a/pdf/SKILL.md, b/pdf-forms/SKILL.md" },
} as const satisfies Rule;

export const trustUndecided = {
  code: "trust-undecided",
  severity: "error",
  summary: "The decision whether a skill is trusted failed.",
  explanation:
    "`isTrusted` must not throw. A skill for which it does is not trusted; the message is that of the error.",
  example: {
    bad: 'isTrusted() { throw new Error("offline"); }',
    good: "isTrusted() { return false; }",
  },
} as const satisfies Rule;

export const namedMissing = {
  code: "named-missing",
  severity: "warning",
  summary: "A skill that was asked for by name is not there.",
  explanation:
    "Named loading takes exactly the skills in the list, from one folder. A name with a separator or `..` is refused.",
  example: { bad: '{ names: ["pdf", "../secrets"] }', good: '{ names: ["pdf"] }' },
} as const satisfies Rule;

export const registryRules: readonly Rule[] = [
  linkNotSearched,
  nameRepeated,
  namedMissing,
  rootEmpty,
  rootMissing,
  rootUnreadable,
  scanLimit,
  skillShadowed,
  sourceFailed,
  trustUndecided,
];

/** A finding about a folder, or about a file as a whole. */
export function rootDiagnostic(rule: Rule, file: string, message: string): Diagnostic {
  const position = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  const { code, severity, effect } = rule;
  const found = { code, severity, message, file, ...position };
  return effect === undefined ? found : { ...found, effect };
}
