import type { SimpleCommand } from "../command/simple-command.ts";

interface RedirectedFiles {
  readonly paths: readonly string[];
  /** A file is named in a way that is not known before. */
  readonly unclear: boolean;
}

const NO_FILE = /^\/dev\/(?:null|stdout|stderr|tty)$/;

/** The files that a command's output is sent to. */
export function writtenFiles(command: SimpleCommand): RedirectedFiles {
  return redirectedFiles(command, (operator) => operator.includes(">"));
}

/** The files that it is fed from. */
export function readFiles(command: SimpleCommand): RedirectedFiles {
  return redirectedFiles(command, (operator) => operator === "<" || operator === "<>");
}

function redirectedFiles(
  { redirections }: SimpleCommand,
  isMeant: (operator: string) => boolean,
): RedirectedFiles {
  const files = redirections.filter(
    ({ operator, target }) =>
      isMeant(operator) &&
      !NO_FILE.test(target.value) &&
      !(operator.endsWith("&") && /^(?:\d+-?|-)$/.test(target.value)),
  );
  return {
    paths: files.map(({ target }) => target.value),
    unclear: files.some(({ target }) => target.dynamic || target.glob),
  };
}
