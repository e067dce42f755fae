/** An arm in a sentence. */
export const ARM_WORDS = {
  with_skill: "with the skill",
  without_skill: "without the skill",
  old_skill: "with its other version",
} as const;
