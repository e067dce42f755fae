import { type CatalogFormat, plural, visibleLine } from "@skillwright/core/internal";
import { clientCatalog } from "@skillwright/packs";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import {
  addMcpSkills,
  openSessionSkills,
  openSession,
  type SessionOptions,
  requireTrust,
} from "@skillwright/app/internal";
import { namedClient } from "../lint/portability-command.ts";
import { readBudget } from "./read-budget.ts";

export interface PromptOptions extends SessionOptions {
  readonly budget?: string;
  readonly format?: string;
  readonly locations?: boolean;
  readonly as?: string;
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
  if (options.as !== undefined) {
    const client = namedClient(options.as);
    const entries = conversation.skills.map(({ path, ...skill }) => ({
      ...skill,
      directory: path,
    }));
    const { project, home } = opened;
    const shown = clientCatalog(entries, client, { project, home, env: console.env });
    if (console.json) console.printJson({ client: client.id, ...shown });
    else {
      for (const line of shown.lines) console.print(visibleLine(line));
      const all = plural(entries.length, "skill");
      const text = `${client.name} finds ${shown.found} of ${all} and shortens ${shown.shortened}`;
      console.note(console.noteColors.dim(text));
    }
    return EXIT.done;
  }
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
