/**
 * A table read in the plainest way, one character at a time, and profiled with the whole of it in
 * memory: what the fast reader of the skill tabular-data is compared with.
 */
export function slowRows(text: string): string[][] | undefined {
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = "";
  let state: "start" | "plain" | "quoted" | "closed" = "start";
  let wasQuoted = false;
  const characters = [...(text.endsWith("\n") && text !== "" ? text : `${text}\n`)];
  for (const [i, character] of characters.entries()) {
    if (state === "quoted") {
      if (character !== '"') cell += character;
      else state = "closed";
      continue;
    }
    if (state === "closed" && character === '"' && characters[i - 1] === '"') {
      cell += '"';
      state = "quoted";
      continue;
    }
    if (state === "start" && character === '"') {
      state = "quoted";
      wasQuoted = true;
    } else if (character === "," || character === "\n") {
      if (character === "\n" && characters[i - 1] === "\r") cell = cell.replace(/\r$/, "");
      cells.push(cell);
      if (character === "\n") {
        if (cells.length > 1 || cell !== "" || wasQuoted) rows.push(cells);
        cells = [];
      }
      [cell, state, wasQuoted] = ["", "start", false];
    } else {
      cell += character;
      state = "plain";
    }
  }
  return state === "quoted" ? undefined : rows;
}

export function slowProfile(text: string) {
  const [header = [], ...rows] = slowRows(text) ?? [];
  return {
    rows: rows.length,
    shorter: rows.filter((row) => row.length < header.length).length,
    longer: rows.filter((row) => row.length > header.length).length,
    columns: header.map((_, i) => slowColumn(rows.map((row) => row[i] ?? ""))),
  };
}

function slowColumn(cells: readonly string[]) {
  const filled = cells.filter((cell) => cell !== "");
  const distinct = new Set(filled).size;
  const common = {
    filled: filled.length,
    empty: cells.length - filled.length,
    distinct: distinct > 1000 ? "more than 1000" : distinct,
  };
  if (filled.length === 0) return { ...common, type: "empty" };
  if (filled.every(isNumber)) {
    const numbers = filled.map(Number).toSorted((a, b) => a - b);
    return { ...common, type: "number", min: numbers[0], max: numbers.at(-1) };
  }
  if (filled.every((cell) => DATE.test(cell))) {
    const sorted = filled.toSorted();
    return { ...common, type: "date", first: sorted[0], last: sorted.at(-1) };
  }
  return { ...common, type: "text" };
}

const DATE = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

function isNumber(cell: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(cell) && Number.isFinite(Number(cell));
}
