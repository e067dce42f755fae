import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./temporary-folder.ts";
import { type WebSite, webSite } from "./web-site.ts";

export interface PublishedPackage {
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
  /** Further fields of package.json. */
  readonly manifest?: Readonly<Record<string, unknown>>;
}

export interface PackageRegistry extends WebSite {
  /** What makes the real npm client use it and nothing of this machine. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A registry on this machine with the versions of one package, for the npm client that is installed. */
export async function packageRegistry(
  name: string,
  published: readonly PublishedPackage[],
): Promise<PackageRegistry> {
  const site = await webSite();
  const versions = Object.fromEntries(
    published.map(({ version, files, manifest = {} }) => {
      const fields = { name, version, ...manifest };
      const bytes = pack({ ...files, "package.json": JSON.stringify(fields) });
      const path = `/tarballs/${version}.tgz`;
      site.pages[path] = bytes;
      const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
      return [version, { ...fields, dist: { tarball: `${site.origin}${path}`, integrity } }];
    }),
  );
  const latest = published.at(-1)?.version;
  const path = `/${name.replace("/", "%2f")}`;
  site.pages[path] = JSON.stringify({ name, "dist-tags": { latest }, versions });
  return { ...site, env: npmEnvironment(site.origin) };
}

function npmEnvironment(registry: string): Readonly<Record<string, string | undefined>> {
  const home = temporaryFolder();
  return {
    PATH: process.env["PATH"],
    HOME: home,
    npm_config_registry: registry,
    npm_config_cache: join(home, "cache"),
    npm_config_fetch_retries: "0",
  };
}

function pack(files: Readonly<Record<string, string>>): Buffer {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, "package", path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
  }
  return execFileSync("tar", ["-C", folder, "-czf", "-", "package"]);
}
