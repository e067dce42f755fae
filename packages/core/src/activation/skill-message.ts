/** A part of a conversation, in the least that all model protocols share. */
export interface SkillMessage {
  readonly role: "user" | "system";
  readonly content: string;
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
