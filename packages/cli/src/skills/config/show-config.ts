import {
  CONFIGURATION_PATHS,
  type LoadedConfiguration,
  optionValue,
  type Origin,
  visibleLine,
} from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { openSession, type Session } from "@skillwright/app/internal";
import { table } from "../../terminal/table.ts";

interface ShownValue extends Origin {
  readonly path: string;
  readonly value: unknown;
  /** Where each of its entries came from, if they came together from several layers. */
  readonly entries?: readonly ShownValue[];
}

/** Each effective value and where it came from. */
export async function showConfig(options: GlobalOptions, console: Console): Promise<ExitCode> {
  const session = await openSession(options, console);
  const { configuration } = session;
  const values = CONFIGURATION_PATHS.map((path) => shownValue(path, configuration));
  if (console.json) {
    const { problems, notes } = configuration;
    console.printJson({ values, problems, notes });
    return EXIT.done;
  }
  const labels = fileLabels(session);
  const rows = values
    .flatMap((shown) => shown.entries ?? [shown])
    .map(({ path, value, layer, file }) => [
      visibleLine(path),
      labels.get(file ?? "")?.label ?? layer,
      value === undefined ? "–" : visibleLine(JSON.stringify(value)),
    ]);
  const { width, colors } = console;
  console.print(table(["OPTION", "FROM", "VALUE"], rows, { width, header: colors.bold }));
  if (labels.size > 0) console.print("");
  for (const { label, shown } of labels.values()) console.print(`${label.padEnd(13)}${shown}`);
  return EXIT.done;
}

function shownValue(
  path: (typeof CONFIGURATION_PATHS)[number],
  { values, origin }: LoadedConfiguration,
): ShownValue {
  const value: unknown = optionValue(values, path);
  const shown = { path, value, ...origin(path) };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return shown;
  const entries = Object.entries(value).map(([key, inner]) => {
    const place = `${path}.${key}`;
    return { path: place, value: inner as unknown, ...origin(place) };
  });
  // Entries that came in one piece have no origin of their own.
  const areOwn = entries.length > 0 && entries.every(({ layer }) => layer !== "default");
  return areOwn ? { ...shown, entries } : shown;
}

/** A file is named once, below the table: its path would leave no room for the values. */
function fileLabels({ configuration, project, home }: Session) {
  const labels = new Map<string, { readonly label: string; readonly shown: string }>();
  const counts = new Map<string, number>();
  for (const { layer, file } of configuration.files) {
    const count = (counts.get(layer) ?? 0) + 1;
    counts.set(layer, count);
    const label = count === 1 ? layer : `${layer} ${count}`;
    labels.set(file, { label, shown: visibleLine(shortPath(file, project, home)) });
  }
  return labels;
}

function shortPath(file: string, project: string, home: string): string {
  if (file.startsWith(`${project}/`)) return file.slice(project.length + 1);
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;
}
