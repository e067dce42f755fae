import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Step by step: Node's own way of making all of them never ends below /proc. */
export async function makeFolder(path: string): Promise<void> {
  const isFolder = async () => (await stat(path).catch(() => undefined))?.isDirectory() === true;
  if (await isFolder()) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path).catch(async (error: unknown) => {
    if (!(await isFolder())) throw error;
  });
}
