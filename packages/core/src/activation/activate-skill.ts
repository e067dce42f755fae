import { estimateTokens } from "../format/body/estimate-tokens.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import { parseSkill } from "../format/parse-skill.ts";
import type { ParsedSkill } from "../format/parsed-skill.ts";
import type { Failure } from "../failure.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import type { InlineSkill } from "../sources/skill-source.ts";
import {
  type CheckedRequirement,
  checkRequirements,
  type RequirementOptions,
} from "./check-requirements.ts";
import { cleanBody, escapeFrame } from "./clean-body.ts";
import { fitBody } from "./fit-body.ts";
import type { Ledger } from "./ledger.ts";
import { renderActivation } from "./render-activation.ts";
import { readSkillContent, type SkillContent } from "./skill-content.ts";
import type { SkillMessage } from "./skill-message.ts";
import { substituteArguments } from "./substitute-arguments.ts";

export interface ActivateOptions extends Partial<RequirementOptions> {
  /** What a person typed behind the skill's name; only then are arguments put into the body. */
  readonly arguments?: string;
  /** Default 500. */
  readonly maxBodyLines?: number;
  /** Default 51,200. */
  readonly maxBodyBytes?: number;
  /** What happens to longer bodies. Default: "outline". */
  readonly longBody?: "outline" | "reject";
  /** Role of the message. Default: "user". */
  readonly role?: SkillMessage["role"];
}

export interface Activation {
  readonly ok: true;
  readonly name: string;
  readonly source: string;
  readonly digest: string;
  /** What the model gets: the skill's instructions, or one line when it has them already. */
  readonly text: string;
  /** The text, ready to be put into the conversation. */
  readonly message: SkillMessage;
  readonly tokens: number;
  readonly alreadyActive: boolean;
  /** It was active with another content before. */
  readonly changed: boolean;
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly requirements: readonly CheckedRequirement[];
  readonly diagnostics: readonly Diagnostic[];
}

export type ActivationFailure = Failure<
  "skill-unreadable" | "skill-too-large" | "skill-changing" | "skill-unusable" | "body-too-long"
>;

const MAX_BODY_LINES = 500;
const MAX_BODY_BYTES = 51_200;

/** Loads level 2 of a skill, unless the ledger says that it is in context as it is now. */
export async function activateSkill(
  record: SkillRecord,
  inline: InlineSkill | undefined,
  ledger: Ledger,
  options: ActivateOptions = {},
): Promise<Activation | ActivationFailure> {
  const content = await contentOf(record, inline);
  if (!content.ok) return content;
  const before = ledger.digestOf(record.id);
  const hasArguments = options.arguments !== undefined;
  if (before === content.digest && !hasArguments) return alreadyActive(record, content, options);
  const { skill, diagnostics } = parseSkill(content.text, {
    directoryName: record.relativePath.slice(record.relativePath.lastIndexOf("/") + 1),
    file: `${record.path}/SKILL.md`,
  });
  if (skill === undefined) return unusable(record, diagnostics);
  const body = prepareBody(skill, options);
  if (body === undefined) return tooLong(record, skill, options);
  const requirements = await requirementsOf(skill, options);
  const { name, source } = record;
  const { digest, files } = content;
  const changed = before !== undefined && before !== digest;
  const text = renderActivation({
    name,
    source,
    digest,
    body,
    files,
    requirements,
    changed,
    ...(inline === undefined ? { location: record.path } : undefined),
    ...(skill.compatibility === undefined ? undefined : { compatibility: skill.compatibility }),
  });
  const message = { role: options.role ?? "user", content: text };
  const tokens = estimateTokens(text);
  ledger.add({ id: record.id, name, digest, message, tokens });
  return {
    ok: true,
    name,
    source,
    digest,
    text,
    message,
    tokens,
    alreadyActive: false,
    changed,
    files,
    requirements,
    diagnostics,
  };
}

async function contentOf(record: SkillRecord, inline: InlineSkill | undefined) {
  if (inline === undefined) return readSkillContent(record.path);
  const { inlineContent } = await import("../sources/inline-skills.ts");
  return inlineContent(inline);
}

/** Undefined when it is too long and such are refused. */
function prepareBody(skill: ParsedSkill, options: ActivateOptions) {
  const { maxBodyLines = MAX_BODY_LINES, maxBodyBytes = MAX_BODY_BYTES, longBody } = options;
  const typed = options.arguments;
  const clean = cleanBody(skill.body);
  const body =
    typed === undefined
      ? clean
      : substituteArguments(clean, escapeFrame(typed), skill.extra["arguments"]);
  const fitted = fitBody(body, skill.bodyLine, { maxLines: maxBodyLines, maxBytes: maxBodyBytes });
  return fitted.rest !== undefined && longBody === "reject" ? undefined : fitted;
}

async function requirementsOf(
  skill: ParsedSkill,
  { env = process.env, versionOf }: ActivateOptions,
) {
  const { requires } = skill.metadata;
  if (requires === undefined) return [];
  return checkRequirements(requires, { env, ...(versionOf && { versionOf }) });
}

function alreadyActive(
  { name, source }: SkillRecord,
  { digest, files }: SkillContent,
  { role = "user" }: ActivateOptions,
): Activation {
  const text = `The skill ${name} is already active; its instructions are in this conversation.`;
  return {
    ok: true,
    name,
    source,
    digest,
    text,
    message: { role, content: text },
    tokens: estimateTokens(text),
    alreadyActive: true,
    changed: false,
    files,
    requirements: [],
    diagnostics: [],
  };
}

function unusable({ name }: SkillRecord, diagnostics: readonly Diagnostic[]): ActivationFailure {
  const error = diagnostics.find(({ severity }) => severity === "error");
  return {
    ok: false,
    code: "skill-unusable",
    message: `the skill ${name} cannot be used: ${error?.message ?? "its SKILL.md cannot be read"}`,
    ...(error?.hint === undefined ? undefined : { hint: error.hint }),
  };
}

function tooLong(
  { name }: SkillRecord,
  { body }: ParsedSkill,
  { maxBodyLines = MAX_BODY_LINES }: ActivateOptions,
): ActivationFailure {
  const lines = body.split("\n").length;
  return {
    ok: false,
    code: "body-too-long",
    message: `the instructions of ${name} have ${lines} lines, ${maxBodyLines} are allowed`,
    hint: "split them: keep the steps in SKILL.md and move details into files under references/",
  };
}
