import type { Failure } from "../failure.ts";
import { estimateTokens } from "../format/body/estimate-tokens.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import { parseSkill } from "../format/parse-skill.ts";
import type { ParsedSkill, RuleSettings } from "../format/draft.ts";
import { escapeXml, frameParts, promptLine } from "../internal/text.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import type { InlineSkill } from "../sources/skill-source.ts";
import {
  type BodyLimits,
  type BodyRest,
  countBodyLines,
  type FittedBody,
  prepareBody,
} from "./body.ts";
import { type Ledger, type SkillMessage } from "../conversation/context.ts";
import {
  type CheckedRequirement,
  checkRequirements,
  type RequirementOptions,
} from "./check-requirements.ts";
import { fileListLines } from "./file-list.ts";
import { contentOf, type SkillContent } from "./skill-content.ts";

interface ActivationParts {
  readonly name: string;
  readonly source: string;
  readonly digest: string;
  /** Where the skill's files are; absent for skills defined in code. */
  readonly location?: string;
  readonly body: FittedBody;
  /** What the list of files says; see `fileListLines`. */
  readonly fileLines: readonly string[];
  readonly compatibility?: string;
  readonly requirements: readonly CheckedRequirement[];
  /** The skill was active with another content before. */
  readonly changed: boolean;
}

/** Level 2: the instructions of a skill in a frame that says whose they are. */
function renderActivation(parts: ActivationParts): string {
  const { name, source, digest, location, body, fileLines, changed } = parts;
  const sections = [
    changed ? "This skill has changed; what follows replaces its earlier instructions." : "",
    needs(parts),
    body.text.trim() === "" && body.rest === undefined
      ? "This skill has no instructions besides its description."
      : body.text,
    rest(body),
    fileLines.length === 0 ? "" : frameParts("skill_files", {}, fileLines),
  ].filter((section) => section !== "");
  return frameParts("skill_content", { name, source, digest, location }, [sections.join("\n\n")]);
}

function needs({ compatibility, requirements }: ActivationParts): string {
  const missing = requirements.filter(({ met }) => met !== "yes");
  const lines = [
    ...(compatibility === undefined ? [] : [`Compatibility: ${escapeXml(oneLine(compatibility))}`]),
    ...missing.map(
      ({ requirement, met, detail }) =>
        `${met === "no" ? "Missing" : "Not checked"}: ${withoutTags(requirement)} (${withoutTags(detail)})`,
    ),
  ];
  return lines.join("\n");
}

function rest({ outline, rest: left }: FittedBody): string {
  if (left === undefined) return "";
  const { startLine, endLine, startByte } = left;
  const place = startByte === undefined ? "" : ` (of line ${startLine} from byte ${startByte} on)`;
  const head = `The rest of SKILL.md, lines ${startLine}-${endLine}${place}, is not shown. Read what you need of it by its lines:`;
  return [head, ...outline].join("\n");
}

function withoutTags(text: string): string {
  return oneLine(text).replaceAll("<", "&lt;");
}

function oneLine(text: string): string {
  return promptLine(text).slice(0, 500);
}

/** The first line of a skill's frame, as `renderActivation` writes it. */
const OPENING =
  /(?:^|\n)<skill_content name="[^"\n]*" source="[^"\n]*" digest="(?:sha256|stamp):[0-9a-f]{64}"[^\n]*>\n/;
const CLOSING = "\n</skill_content>";
/** No message is so large that it would take more to look through it. */
const MAX_PARTS = 10_000;

/**
 * Whether a message, or a part of one, holds the text of a skill: a host that compacts keeps it.
 * Takes the messages of any library. A text that only mentions the frame does not count.
 */
export function isSkillContent(message: unknown): boolean {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [message];
  for (let i = 0; i < waiting.length && i < MAX_PARTS; i++) {
    const part = waiting[i];
    if (typeof part === "string" && hasFrame(part)) return true;
    if (typeof part !== "object" || part === null || seen.has(part)) continue;
    seen.add(part);
    if (!ArrayBuffer.isView(part)) waiting.push(...partsOf(part).slice(0, MAX_PARTS));
  }
  return false;
}

function hasFrame(text: string): boolean {
  const opening = OPENING.exec(text);
  return opening !== null && text.includes(CLOSING, opening.index + opening[0].length - 1);
}

/** A getter of a host's own may fail. */
function partsOf(value: object): unknown[] {
  try {
    return Object.values(value);
  } catch {
    return [];
  }
}

export interface ActivateOptions extends Partial<RequirementOptions> {
  /** Who asks. Only a person gets what is kept from models. Default: "model". */
  readonly by?: "model" | "person";
  /** What a person typed behind the skill's name; only then are arguments put into the body. */
  readonly arguments?: string;
  /** Severities of rules, where they are not the usual ones: a refused value hides a skill. */
  readonly rules?: RuleSettings;
  /**
   * Tokens that the text may take, such as what is left of the model's context. A body that does not
   * fit is cut. Default: the whole body, up to `maxBodyBytes`.
   */
  readonly roomTokens?: number;
  /** A body that has to be cut shows at most this many lines; `reject` refuses more. Default 500. */
  readonly maxBodyLines?: number;
  /** Longer bodies are cut whatever the room is. Default 51,200; with `roomTokens` no limit. */
  readonly maxBodyBytes?: number;
  /**
   * "outline" cuts a body that does not fit and lists the headings of the rest; "reject" refuses it, and
   * every body over `maxBodyLines`. Default: "outline".
   */
  readonly longBody?: "outline" | "reject";
  /** The tool that lists the files of a folder, for the last line of a shortened list. */
  readonly listTool?: string;
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
  /** The lines of SKILL.md that did not fit; absent when the whole body is there. */
  readonly rest?: BodyRest;
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
const MAX_LIST_TOKENS = 400;
/** Where there is little room, the list of files takes at most this share of it. */
const LIST_SHARE = 1 / 8;
const NO_BODY: FittedBody = { text: "", outline: [] };

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
  const { name, source } = record;
  const { digest, moreFiles } = content;
  const { roomTokens = Number.POSITIVE_INFINITY, listTool } = options;
  const requirements = requirementsOf(skill, options);
  const files = listedFiles(content, options);
  const location = locationIn(record, inline, options);
  const changed = before !== undefined && before !== digest;
  const maxTokens = Math.min(MAX_LIST_TOKENS, Math.floor(roomTokens * LIST_SHARE));
  const parts = {
    name,
    source,
    digest,
    fileLines: fileListLines(files, { body: skill.body, moreFiles, maxTokens, listTool }),
    requirements,
    changed,
    ...(location === undefined ? undefined : { location }),
    ...(skill.compatibility === undefined ? undefined : { compatibility: skill.compatibility }),
  };
  const around = estimateTokens(renderActivation({ ...parts, body: NO_BODY }));
  const limits = limitsIn(options, Math.max(0, roomTokens - around));
  const body = prepareBody(skill, typed, limits);
  const isLong = body.rest !== undefined || countBodyLines(skill.body) > limits.maxLines;
  if (isLong && options.longBody === "reject") return tooLong(record, skill, limits);
  const text = renderActivation({ ...parts, body });
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
    ...(body.rest && { rest: body.rest }),
    files,
    requirements,
    diagnostics,
  };
}

function limitsIn(
  {
    maxBodyLines: maxLines = MAX_BODY_LINES,
    roomTokens: room,
    maxBodyBytes: maxBytes = room === undefined ? MAX_BODY_BYTES : Number.POSITIVE_INFINITY,
  }: ActivateOptions,
  roomTokens: number,
): BodyLimits {
  return { maxLines, maxBytes, roomTokens };
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
  { maxLines, maxBytes }: BodyLimits,
): ActivationFailure {
  const lines = countBodyLines(body);
  const bytes = Buffer.byteLength(body);
  const reason =
    lines > maxLines
      ? `${lines} lines, ${maxLines} are allowed`
      : bytes > maxBytes
        ? `${bytes} bytes, ${maxBytes} are allowed`
        : `about ${estimateTokens(body)} tokens, which is more than there is room for`;
  return {
    ok: false,
    code: "body-too-long",
    message: `the instructions of ${name} have ${reason}`,
    hint: "split them: keep the steps in SKILL.md and move details into files under references/",
  };
}
