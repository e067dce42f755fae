/** A part of a conversation, in the least that all model protocols share. */
export interface SkillMessage {
  readonly role: "user" | "system";
  readonly content: string;
}

const MARK = "<skill_content ";

/** Whether a message, or a part of one, holds the text of a skill: a host that compacts keeps it. */
export function isSkillContent(message: unknown): boolean {
  if (typeof message === "string") return message.includes(MARK);
  if (Array.isArray(message)) return message.some(isSkillContent);
  if (typeof message !== "object" || message === null) return false;
  const { content, text, output } = message as Record<string, unknown>;
  return [content, text, output].some(
    (part) => part !== undefined && part !== message && isSkillContent(part),
  );
}
