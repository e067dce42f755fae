import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import type { ProgramResult } from "../program/run-program.ts";
import { canceled, sourceFailure } from "../source-failure.ts";

interface Symptom {
  readonly seen: RegExp;
  readonly failure: (source: string) => PackFailure;
}

const SYMPTOMS: readonly Symptom[] = [
  {
    seen: /could not read (?:Username|Password)|terminal prompts disabled|Authentication failed|Permission denied|error: 40[13]|HTTP 40[13]|could not be authenticated|access denied/i,
    failure: (source) =>
      sourceFailure("source-unreachable", `${source} does not exist or is not open to you`, {
        hint:
          "For a private repository let git know you first: a credential helper " +
          "(gh auth login, git credential) for https, or a key in ssh-agent for git@host:owner/repo.",
      }),
  },
  {
    seen: /Host key verification failed/i,
    failure: (source) =>
      sourceFailure("source-unreachable", `the host of ${source} is not known to ssh`, {
        hint: "Connect to it once with ssh, and check its key.",
      }),
  },
  {
    seen: /dubious ownership/i,
    failure: (source) =>
      sourceFailure("source-unreachable", `${source} belongs to another user`, {
        hint: "If you trust it: git config --global --add safe.directory <its path>.",
      }),
  },
  {
    seen: /transport '[^']*' not allowed/i,
    failure: (source) =>
      sourceFailure("source-invalid", `${source} leads to a transport that is not allowed`),
  },
  {
    seen: /repository[^\n]*not found|not appear to be a git repository|does not exist|error: 404|not a git repository/i,
    failure: (source) =>
      sourceFailure("source-missing", `there is no repository at ${source}`, {
        hint: "Check the spelling; a private repository may look as if it were not there.",
      }),
  },
];

/** What a person can do about a call of git that did not work. */
export function gitFailure(source: string, { ended, stderr, status }: ProgramResult): PackFailure {
  const shown = foreignText(source);
  switch (ended) {
    case "canceled":
      return canceled();
    case "timeout":
      return sourceFailure("source-unreachable", `git took too long for ${shown}`);
    case "too-much":
      return sourceFailure("limit-exceeded", `${shown} is larger than what is allowed`, {
        hint: "Name a folder of the repository, or allow more.",
      });
    case "not-started":
      return sourceFailure("program-missing", "git could not be started");
    default: {
      const known = SYMPTOMS.find(({ seen }) => seen.test(stderr));
      if (known !== undefined) return known.failure(shown);
      const reason = foreignText(reasonIn(stderr) ?? `status ${status}`);
      return sourceFailure("source-unreachable", `git could not fetch ${shown}: ${reason}`, {
        hint: "Check the address and the connection.",
      });
    }
  }
}

function reasonIn(stderr: string): string | undefined {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /^(?:fatal|error|ssh):/.test(line)) ?? lines.at(-1);
}
