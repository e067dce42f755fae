import { escapeXml, plainLine, stripHidden, truncate } from "./text.ts";

/** The tags that tell a model where the text of a skill, a file or a result begins and ends. */
export const FRAME_TAGS = [
  "available_skills",
  "skill_content",
  "skill_files",
  "attached_file",
  "tool_result",
] as const;

export type FrameTag = (typeof FRAME_TAGS)[number];

const MAX_ATTRIBUTE = 4096;
const FORGED = new RegExp(
  String.raw`[<\ufe64\uff1c](?=[\s/]*(?:${FRAME_TAGS.join("|")})(?!\w))`,
  "giu",
);

/**
 * Text from outside on its way into a prompt: nothing in it is hidden, and nothing in it reads as a
 * frame. Everything a model sees of skills, files, scripts and servers passes through here once;
 * a second time changes nothing.
 */
export function promptText(text: string): string {
  return stripHidden(text).replaceAll(FORGED, "&lt;");
}

const ESCAPED = new RegExp(String.raw`&lt;(?=[\s/]*(?:${FRAME_TAGS.join("|")})(?!\w))`, "giu");

/** What `promptText` was given, where a model repeats what it read of it. */
export function unescapedFrames(text: string): string {
  return text.replaceAll(ESCAPED, "<");
}

/** The same on one line, such as a name or a path, with at most `length` UTF-16 units. */
export function promptLine(text: string, length = Number.POSITIVE_INFINITY): string {
  // Cut first: what is left out need not be looked at.
  return truncate(promptText(plainLine(text.slice(0, length * 4))), length);
}

/** Text from outside in its frame. */
export function frame(
  tag: FrameTag,
  attributes: Readonly<Record<string, string | number | undefined>>,
  text: string,
): string {
  return frameParts(tag, attributes, [promptText(text)]);
}

/** A frame around parts that went through `promptText` or are frames themselves. */
export function frameParts(
  tag: FrameTag,
  attributes: Readonly<Record<string, string | number | undefined>>,
  parts: readonly string[],
): string {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${attributeText(String(value))}"`],
  );
  return [`<${tag}${written.join("")}>`, ...parts, `</${tag}>`].join("\n");
}

function attributeText(value: string): string {
  // Escaping covers `<`; its look-alikes are left for the expression.
  const line = truncate(plainLine(value), MAX_ATTRIBUTE);
  return escapeXml(line).replaceAll(FORGED, "&lt;");
}
