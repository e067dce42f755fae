import type { Conversation, Skills } from "@skillwright/core";

const conversations = new WeakMap<Skills, Conversation>();

/** The same conversation at every call, for tests that need only one. */
export function chatOf(skills: Skills): Conversation {
  const known = conversations.get(skills) ?? skills.conversation();
  conversations.set(skills, known);
  return known;
}
