import { createHash } from "node:crypto";
import { hostileZip } from "./hostile-zip.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { type Page, type WebSite, webSite } from "./web-site.ts";

export interface PublishedWheel {
  readonly name: string;
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
  readonly requires?: readonly string[];
}

export interface PythonIndex extends WebSite {
  /** What makes pip use it and nothing of this machine. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Publishes a wheel, or other bytes under a version that is there. */
  publish(wheel: PublishedWheel): void;
}

/** An index of Python packages on this machine, with wheels made here. */
export async function pythonIndex(wheels: readonly PublishedWheel[]): Promise<PythonIndex> {
  const site = await webSite();
  const links = new Map<string, Map<string, string>>();
  const publish = (published: PublishedWheel) => {
    const { name, version } = published;
    const file = `${name}-${version}-py3-none-any.whl`;
    const bytes = wheel(published);
    site.pages[`/files/${file}`] = bytes;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const own = links.get(name) ?? new Map<string, string>();
    links.set(name, own.set(file, `<a href="/files/${file}#sha256=${sha256}">${file}</a>`));
    site.pages[`/simple/${name}/`] = htmlPage([...own.values()].join("\n"));
  };
  for (const one of wheels) publish(one);
  const home = temporaryFolder();
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    PIP_CONFIG_FILE: "/dev/null",
    PIP_INDEX_URL: `${site.origin}/simple`,
    PIP_NO_CACHE_DIR: "1",
    PIP_RETRIES: "0",
  };
  return { ...site, env, publish };
}

export function htmlPage(body: string): Page {
  return (_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><html><body>${body}</body></html>`);
  };
}

function wheel({ name, version, files, requires = [] }: PublishedWheel): Buffer {
  const info = `${name}-${version}.dist-info`;
  const lines = requires.map((one) => `Requires-Dist: ${one}\n`).join("");
  const all: Readonly<Record<string, string>> = {
    ...files,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${lines}`,
    [`${info}/WHEEL`]:
      "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
  };
  const record = Object.entries(all).map(([path, text]) => {
    const digest = createHash("sha256").update(text).digest("base64url");
    return `${path},sha256=${digest},${Buffer.byteLength(text)}\n`;
  });
  const entries = { ...all, [`${info}/RECORD`]: `${record.join("")}${info}/RECORD,,\n` };
  return hostileZip(
    Object.entries(entries).map(([path, content]) => ({ name: path, content, mode: 0o100644 })),
  );
}
