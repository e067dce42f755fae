import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { basename, dirname, join } from "node:path";
import { type Page, type WebSite, webSite } from "./web-site.ts";

/** A bare repository over HTTP by git's own server program, as forges do. */
export async function smartGitServer(bare: string): Promise<WebSite> {
  return site((request, response) => {
    const [path = "", query = ""] = (request.url ?? "").split("?");
    const backend = spawn("git", ["http-backend"], {
      env: {
        PATH: process.env["PATH"],
        GIT_PROJECT_ROOT: dirname(bare),
        GIT_HTTP_EXPORT_ALL: "1",
        GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
        REQUEST_METHOD: request.method,
        PATH_INFO: path,
        QUERY_STRING: query,
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
        REMOTE_ADDR: "127.0.0.1",
      },
    });
    request.pipe(backend.stdin);
    const chunks: Buffer[] = [];
    backend.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    backend.on("close", () => answer(Buffer.concat(chunks), response));
  });
}

/** The same as plain files, which is all that a static host can do. */
export async function plainGitServer(bare: string): Promise<WebSite> {
  return site((request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    const file = join(dirname(bare), path);
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) response.writeHead(404).end();
    else response.end(readFileSync(file));
  });
}

export function urlOf({ origin }: WebSite, bare: string): string {
  return `${origin}/${basename(bare)}`;
}

async function site(page: (request: IncomingMessage, response: ServerResponse) => void) {
  const pages = new Proxy<Record<string, Page>>({}, { get: () => page });
  return webSite(pages);
}

function answer(output: Buffer, response: ServerResponse): void {
  const end = output.indexOf("\r\n\r\n");
  const headers = output.subarray(0, end).toString("utf8").split("\r\n");
  for (const line of headers) {
    const [name = "", value = ""] = line.split(": ");
    if (name === "Status") response.statusCode = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.end(output.subarray(end + 4));
}
