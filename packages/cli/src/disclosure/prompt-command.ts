import type { CatalogFormat } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import {
  addMcpSkills,
  openSessionSkills,
  openSession,
  type SessionOptions,
  requireTrust,
} from "@skillwright/app/internal";
import { readBudget } from "./read-budget.ts";

export interface PromptOptions extends SessionOptions {
  readonly budget?: string;
  readonly format?: string;
  readonly locations?: boolean;
}

const FORMATS: readonly string[] = ["xml", "markdown", "json"];

/** Prints the catalog as a model gets it. */
export async function promptCommand(options: PromptOptions, console: Console): Promise<ExitCode> {
  const { format = "xml", budget, locations = false, source } = options;
  if (!isFormat(format)) {
    throw new CommandFailure(EXIT.usage, `unknown format "${format}"`, {
      hint: `there are ${FORMATS.join(", ")}`,
    });
  }
  const opened = await openSession(options, console);
  const found = await openSessionSkills(opened, options, console);
  const inFolders = await requireTrust(opened, found, options, console);
  const { skills } = await addMcpSkills(inFolders, options, console);
  const conversation = skills.conversation(
    source === undefined ? {} : { include: (record) => record.source === source },
  );
  const catalog = conversation.catalog({
    format,
    locations,
    searchTool: "search_skills",
    ...readBudget(budget),
  });
  if (console.json) {
    console.printJson({ ...catalog });
    return EXIT.done;
  }
  if (catalog.text !== "") console.print(catalog.text);
  const { tokens, shown, shortened, nameOnly, omitted } = catalog;
  console.note(
    console.noteColors.dim(
      `${tokens} tokens: ${shown.length} in full, ${shortened.length} shortened, ${nameOnly.length} by name, ${omitted.length} omitted`,
    ),
  );
  return EXIT.done;
}

function isFormat(format: string): format is CatalogFormat {
  return FORMATS.includes(format);
}
