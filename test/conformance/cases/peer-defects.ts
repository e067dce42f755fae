import { type ConformanceCase, DESCRIPTION, fileOf, fileWith } from "./conformance-case.ts";

const row = (
  id: string,
  requirement: string,
  text: string,
  skill: NonNullable<ConformanceCase["skill"]>,
): ConformanceCase => ({ id, requirement, text, strict: true, codes: [], loaded: true, skill });

/** What was seen to go wrong in other runtimes; `research/peers.md` §2.1 names them. */
export const peerDefectCases: readonly ConformanceCase[] = [
  row(
    "compatibility and allowed-tools as text are valid",
    "F-03",
    fileWith('compatibility: "Requires Python"\nallowed-tools: "Bash(git:*) Read"'),
    {
      compatibility: "Requires Python",
      allowedTools: [{ tool: "Bash", specifier: "git:*" }, { tool: "Read" }],
    },
  ),
  row(
    "hyphens in a description do not cut the frontmatter",
    "F-01",
    fileOf("name: dates\ndescription: foo --- bar\nlicense: MIT"),
    {
      description: "foo --- bar",
      license: "MIT",
      body: "Body.\n",
    },
  ),
  row(
    "a plain value keeps all its lines",
    "F-02",
    fileOf("name: dates\ndescription: Formats dates\n  of all kinds\n  when asked"),
    {
      description: "Formats dates of all kinds when asked",
    },
  ),
  row(
    "a list of tools is no text with hyphens",
    "F-05",
    fileWith("allowed-tools:\n  - Read\n  - Grep"),
    {
      allowedTools: [{ tool: "Read" }, { tool: "Grep" }],
    },
  ),
  row(
    "a name under metadata is not the skill's",
    "F-02",
    fileOf(
      `metadata:\n  name: evil\n  description: evil\nname: dates\ndescription: ${DESCRIPTION}`,
    ),
    {
      name: "dates",
      description: DESCRIPTION,
      metadata: { name: "evil", description: "evil" },
    },
  ),
  row(
    "a block header is not the description",
    "F-02",
    fileOf(`name: dates\ndescription: >-\n  ${DESCRIPTION}`),
    {
      description: DESCRIPTION,
    },
  ),
  row(
    "replacement patterns are text",
    "F-02",
    fileOf("name: dates\ndescription: Costs $& or $` or $$ or $1"),
    {
      description: "Costs $& or $` or $$ or $1",
    },
  ),
  {
    id: "a file beyond repair is reported, not thrown",
    requirement: "F-07",
    text: fileOf("name: 'dates\n  : [}"),
    codes: ["error:yaml-invalid"],
    loaded: false,
  },
  {
    id: "a binary file is reported, not garbled",
    requirement: "F-06",
    text: "\u0089PNG\r\n\u001a\n\0\0\0\rIHDR\uFFFD\uFFFD",
    codes: ["error:frontmatter-missing"],
    loaded: false,
  },
];
