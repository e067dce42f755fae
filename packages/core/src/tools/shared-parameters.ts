/** How a script is called, in every preset. */
export const SCRIPT_PARAMETERS = {
  script_file: {
    type: "string",
    description: 'File under scripts/, such as "analyze.py".',
  },
  args: {
    type: "strings",
    description: "Arguments for the script, one by one.",
    optional: true,
    private: true,
  },
} as const;

/** How skills are searched for, in every preset. */
export const SEARCH_PARAMETERS = {
  query: { type: "string", description: "What is to be done, in a few words." },
  n: {
    type: "integer",
    description: "How many at most.",
    minimum: 1,
    maximum: 50,
    default: 5,
    optional: true,
  },
} as const;
