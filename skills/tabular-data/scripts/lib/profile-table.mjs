import { closeSync } from "node:fs";
import { ColumnProfile } from "./column-profile.mjs";
import { openTable } from "./open-table.mjs";
import { readTable } from "./read-rows.mjs";
import { scanCells } from "./scan-cells.mjs";
import { uniqueNames } from "./unique-names.mjs";

const NOTHING = Buffer.alloc(0);

/** What a table holds; memory does not grow with the file. */
export async function profileTable(file, delimiter) {
  const table = openTable(file, delimiter);
  try {
    const profile = table.kind === "json" ? await profileJson(table) : profileDelimited(table);
    if (profile.columns.length === 0) throw new Error("there are no rows in the file");
    return { file, ...profile, columns: profile.columns.map((column) => column.summary()) };
  } finally {
    closeSync(table.handle);
  }
}

function profileDelimited(table) {
  const profile = { rows: 0, shorter: 0, longer: 0, columns: [] };
  const header = [];
  let columns;
  let at = 0;
  scanCells(table, {
    cell(bytes, start, end) {
      if (columns === undefined) header.push(bytes.toString("utf8", start, end));
      else if (at < columns.length) columns[at].add(bytes, start, end);
      at++;
    },
    row(cells) {
      at = 0;
      if (columns === undefined) {
        columns = uniqueNames(header).map((name) => new ColumnProfile(name));
        profile.columns = columns;
        return;
      }
      profile.rows++;
      if (cells > columns.length) profile.longer++;
      if (cells >= columns.length) return;
      profile.shorter++;
      for (let i = cells; i < columns.length; i++) columns[i].add(NOTHING, 0, 0);
    },
  });
  return profile;
}

async function profileJson(table) {
  const profile = { rows: 0, shorter: 0, longer: 0, columns: [] };
  const onHeader = (names) => {
    profile.columns = names.map((name) => new ColumnProfile(name));
  };
  const onRow = (cells, _number, surplus) => {
    profile.rows++;
    if (surplus > 0) profile.longer++;
    for (let i = 0; i < cells.length; i++) {
      const bytes = Buffer.from(cells[i]);
      profile.columns[i].add(bytes, 0, bytes.length);
    }
    return true;
  };
  await readTable(table, { onHeader, onRow });
  return profile;
}
