import type { AgentOptions } from "./run-options.ts";

/** What is continued, and with which approval. */
interface Continued {
  readonly runId: string;
  readonly approve?: string | undefined;
}

/**
 * The words that go on with a run, one option each, ready for a shell. What the run was started
 * with is among them: without its roots, trust and model it would be another run.
 */
export function continueCommand(
  { runId, approve }: Continued,
  options: AgentOptions,
): readonly string[] {
  const {
    root = [],
    source,
    config,
    cwd,
    trust,
    model,
    modelParam = [],
    yes,
    writable = [],
    sandbox,
    skills,
  } = options;
  return [
    `skillwright runs resume ${shellWord(runId)}`,
    ...option("--approve", approve),
    ...option("--cwd", cwd),
    ...option("--config", config),
    ...root.flatMap((folder) => option("--root", folder)),
    ...option("--source", source),
    ...(trust === true ? ["--trust"] : []),
    ...(skills === false ? ["--no-skills"] : []),
    ...option("--model", model),
    ...modelParam.flatMap((one) => option("--model-param", one)),
    ...option("--sandbox", sandbox),
    ...writable.flatMap((folder) => option("--writable", folder)),
    // Its value may be left out, so it has to stand in the same word.
    ...(yes === undefined || yes === true ? [] : [shellWord(`--yes=${yes.join(",")}`)]),
  ];
}

function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${name} ${shellWord(value)}`];
}

/** One word for a POSIX shell, whatever is in it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
