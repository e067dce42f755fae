import { open, rename, rm } from "node:fs/promises";

/** Prints lines, or writes them to a new file, all or nothing. Beyond `limit` they are only counted. */
export async function output(lines, { out, limit }) {
  if (out !== undefined) return writeFile(lines, out);
  let count = 0;
  let batch = [];
  for (const line of lines) {
    if (++count > limit) continue;
    batch.push(line);
    if (batch.length < 1000) continue;
    console.log(batch.join("\n"));
    batch = [];
  }
  if (batch.length > 0) console.log(batch.join("\n"));
  if (count > limit) {
    console.log(`… ${count - limit} more lines are not shown; --out <file> writes them all`);
  }
}

async function writeFile(lines, out) {
  const part = `${out}.part-${process.pid}`;
  const handle = await open(part, "wx");
  try {
    let batch = "";
    for (const line of lines) {
      batch += `${line}\n`;
      if (batch.length < 256 * 1024) continue;
      await handle.write(batch);
      batch = "";
    }
    await handle.write(batch);
    await handle.close();
    await rename(part, out);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}
