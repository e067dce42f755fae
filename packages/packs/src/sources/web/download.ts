import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { PackFailure } from "../../pack-failure.ts";
import { readBody, type ReadBody } from "./read-body.ts";
import type { WebContext } from "./web-context.ts";

export interface Download extends ReadBody {
  /** `sha256:…` of what was received. */
  readonly integrity: string;
}

/** Writes what a URL answers into a new file. */
export async function download(
  url: URL,
  file: string,
  maxBytes: number,
  context: WebContext,
): Promise<Download | PackFailure> {
  const hash = createHash("sha256");
  const handle = await open(file, "wx", 0o600);
  try {
    const read = await readBody(url, context, maxBytes, async (chunk) => {
      hash.update(chunk);
      await handle.writeFile(chunk);
    });
    return read.ok ? { ...read, integrity: `sha256:${hash.digest("hex")}` } : read;
  } finally {
    await handle.close();
  }
}

/** The same for small texts, into memory. */
export async function downloadText(
  url: URL,
  maxBytes: number,
  context: WebContext,
): Promise<(ReadBody & { readonly text: string }) | PackFailure> {
  const chunks: Uint8Array[] = [];
  const read = await readBody(url, context, maxBytes, (chunk) => void chunks.push(chunk));
  return read.ok ? { ...read, text: Buffer.concat(chunks).toString("utf8") } : read;
}
