/** The commands of a block, one after the other: a line, with those that continue it. */
export function shellCommands(text: string): string[] {
  const commands: string[] = [];
  let open: string[] = [];
  let here: string | undefined;
  for (const line of text.trimEnd().split("\n")) {
    open.push(line);
    here ??= /<<-?'?(\w+)'?/.exec(line)?.[1];
    if (here !== undefined ? line !== here : line.endsWith("\\")) continue;
    const command = open.join("\n").trim();
    if (command !== "" && !command.startsWith("#")) commands.push(command);
    open = [];
    here = undefined;
  }
  if (open.length > 0) throw new Error(`the command does not end: ${open.join("\n")}`);
  return commands;
}

/** The steps of a workflow are commands too. */
export function workflowCommands(text: string): string[] {
  return [...text.matchAll(/^\s*- run: (.+)$/gm)].map(([, command = ""]) => command);
}
