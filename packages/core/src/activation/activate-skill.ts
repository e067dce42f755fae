import { estimateTokens } from "../format/body/estimate-tokens.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import { parseSkill } from "../format/parse-skill.ts";
import type { ParsedSkill } from "../format/parsed-skill.ts";
import type { RuleSettings } from "../format/rules/rule.ts";
import { promptLine } from "../internal/frame.ts";
import type { Failure } from "../failure.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import type { InlineSkill } from "../sources/skill-source.ts";
import {
  type CheckedRequirement,
  checkRequirements,
  type RequirementOptions,
} from "./check-requirements.ts";
import { contentOf } from "./content-of.ts";
import type { Ledger } from "./ledger.ts";
import { prepareBody } from "./prepare-body.ts";
import { renderActivation } from "./render-activation.ts";
import type { SkillContent } from "./skill-content.ts";
import type { SkillMessage } from "./skill-message.ts";

export interface ActivateOptions extends Partial<RequirementOptions> {
  /** Who asks. Only a person gets what is kept from models. Default: "model". */
  readonly by?: "model" | "person";
  /** What a person typed behind the skill's name; only then are arguments put into the body. */
  readonly arguments?: string;
  /** Severities of rules, where they are not the usual ones: a refused value hides a skill. */
  readonly rules?: RuleSettings;
  /** Default 500. */
  readonly maxBodyLines?: number;
  /** Default 51,200. */
  readonly maxBodyBytes?: number;
  /** What happens to longer bodies. Default: "outline". */
  readonly longBody?: "outline" | "reject";
  /** Where the skill is, as its text says; undefined says nothing. Default: its folder. */
  readonly locationOf?: (record: SkillRecord) => string | undefined;
  /** Which files are listed, by path. Default: all. */
  readonly listsFile?: (path: string) => boolean;
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
  /** At most 2,000. Without a size: text that code makes only when it is read. */
  readonly files: readonly { readonly path: string; readonly size?: number }[];
  readonly requirements: readonly CheckedRequirement[];
  readonly diagnostics: readonly Diagnostic[];
}

export type ActivationFailure = Failure<
  | "skill-unreadable"
  | "skill-too-large"
  | "skill-changing"
  | "skill-unusable"
  | "skill-hidden"
  | "body-too-long"
>;

const MAX_BODY_LINES = 500;
const MAX_BODY_BYTES = 51_200;

/** Loads level 2 of a skill, unless the ledger says that it is in context as it is now. */
export async function activateSkill(
  record: SkillRecord,
  inline: InlineSkill | undefined,
  ledger: Ledger,
  options: ActivateOptions = {},
  readContent: () => Promise<SkillContent | ActivationFailure> = () => contentOf(record, inline),
): Promise<Activation | ActivationFailure> {
  const content = await readContent();
  if (!content.ok) return content;
  const before = ledger.digestOf(record.id);
  const { by = "model", rules } = options;
  const typed = by === "person" ? options.arguments : undefined;
  if (before === content.digest && typed === undefined) {
    ledger.touch(record.id, by === "person" ? true : undefined);
    return alreadyActive(record, content, options);
  }
  const { skill, diagnostics } = parseSkill(content.text, {
    directoryName: record.relativePath.slice(record.relativePath.lastIndexOf("/") + 1),
    file: `${record.path}/SKILL.md`,
    ...(rules && inline === undefined && { rules }),
  });
  if (skill === undefined) return unusable(record, diagnostics);
  if (by === "model" && (skill.disableModelInvocation || skill.hiddenFromModel)) {
    return hidden(record);
  }
  const { maxBodyLines = MAX_BODY_LINES, maxBodyBytes = MAX_BODY_BYTES } = options;
  const body = prepareBody(skill, typed, { maxLines: maxBodyLines, maxBytes: maxBodyBytes });
  if (body.rest !== undefined && options.longBody === "reject") {
    return tooLong(record, skill, options);
  }
  const requirements = requirementsOf(skill, options);
  const { name, source } = record;
  const { digest, moreFiles } = content;
  const files = listedFiles(content, options);
  const location = locationIn(record, inline, options);
  const changed = before !== undefined && before !== digest;
  const text = renderActivation({
    name,
    source,
    digest,
    body,
    files,
    moreFiles,
    requirements,
    changed,
    ...(location === undefined ? undefined : { location }),
    ...(skill.compatibility === undefined ? undefined : { compatibility: skill.compatibility }),
  });
  const message = { role: options.role ?? "user", content: text };
  const tokens = estimateTokens(text);
  const calledBy = by === "person" ? { byPerson: true as const } : undefined;
  ledger.add({ id: record.id, name, digest, message, tokens, ...calledBy });
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

function locationIn(
  record: SkillRecord,
  inline: InlineSkill | undefined,
  { locationOf }: ActivateOptions,
): string | undefined {
  if (locationOf !== undefined) return locationOf(record);
  return inline === undefined ? record.path : undefined;
}

function listedFiles({ files }: SkillContent, { listsFile }: ActivateOptions) {
  return listsFile === undefined ? files : files.filter(({ path }) => listsFile(path));
}

function requirementsOf(skill: ParsedSkill, { env = process.env }: ActivateOptions) {
  const { requires } = skill.metadata;
  return requires === undefined ? [] : checkRequirements(requires, { env });
}

function alreadyActive(
  { name, source }: SkillRecord,
  content: SkillContent,
  options: ActivateOptions,
): Activation {
  const { digest } = content;
  const { role = "user" } = options;
  const text = `The skill ${promptLine(name)} is already active; its instructions are in this conversation.`;
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
    files: listedFiles(content, options),
    requirements: [],
    diagnostics: [],
  };
}

/** Its author took it away from models since it was found. */
function hidden({ name }: SkillRecord): ActivationFailure {
  const message = `the skill ${name} is only for people now`;
  return { ok: false, code: "skill-hidden", message };
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
