import { closeSync, openSync, writeSync } from "node:fs";

const ROWS_AT_ONCE = 20_000;
const REGIONS = ["North", "South", "East", "West", "Überall", "上海"];

/** A CSV file of about this size, as exports are: ids, dates, few and many values, gaps, quotes. */
export function makeTable(file: string, bytes: number): { readonly rows: number } {
  const random = randomNumbers();
  const handle = openSync(file, "wx");
  let rows = 0;
  try {
    let written = writeSync(handle, "id,date,region,product,amount,quantity,email,note\n");
    while (written < bytes) {
      let text = "";
      for (let i = 0; i < ROWS_AT_ONCE; i++) text += row(++rows, random);
      written += writeSync(handle, text);
    }
  } finally {
    closeSync(handle);
  }
  return { rows };
}

function row(id: number, random: () => number): string {
  const below = (limit: number) => Math.floor(random() * limit);
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `2024-${two(1 + below(12))}-${two(1 + below(28))}`;
  const amount = `${below(10_000)}.${two(below(100))}`;
  const quantity = random() < 0.1 ? "" : String(below(100));
  const note = random() < 0.2 ? '"he said ""later"", and\nleft"' : "delivered as ordered";
  const region = REGIONS[below(REGIONS.length)] ?? "";
  return `${id},${date},${region},product ${below(500)},${amount},${quantity},user${below(1e6)}@example.com,${note}\n`;
}

/** The same numbers in every run. */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
