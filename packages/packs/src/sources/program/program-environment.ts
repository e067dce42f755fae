import { delimiter, isAbsolute, relative, resolve, sep } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where programs are on most machines, for callers whose PATH has nothing usable. */
const SYSTEM_FOLDERS = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin"];

/** What finds the user's own settings, keys, proxies and certificates; nothing that changes git. */
const KEPT = new Set(
  [
    "HOME USER LOGNAME XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_RUNTIME_DIR",
    "SSH_AUTH_SOCK SSH_AGENT_PID SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS",
    "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY TMPDIR TEMP TMP",
    // Windows finds nothing without these.
    "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE HOMEDRIVE HOMEPATH APPDATA",
    "LOCALAPPDATA PROGRAMDATA PROGRAMFILES",
  ].flatMap((line) => line.split(" ")),
);

/** The environment of a program, built from nothing; `keep` decides on names that are not usual. */
export function programEnvironment(
  env: Environment,
  cwd: string,
  keep: (name: string) => boolean = () => false,
): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (KEPT.has(name.toUpperCase()) || keep(name)) ? [[name, value]] : [],
  );
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    PATH: searchFolders(env, cwd).join(delimiter),
    LC_ALL: "C.UTF-8",
    LANGUAGE: "",
    NO_COLOR: "1",
  };
}

/**
 * The folders of PATH that a project cannot fill: not relative, not below the working directory,
 * not where npm puts the programs of dependencies.
 */
export function searchFolders(env: Environment, cwd: string): readonly string[] {
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === "PATH")?.[1] ?? "";
  const folders = path.split(delimiter).filter((folder) => {
    return isAbsolute(folder) && !isBelow(folder, cwd) && !/node_modules[\\/]\.bin/.test(folder);
  });
  return folders.length === 0 ? SYSTEM_FOLDERS : [...new Set(folders)];
}

function isBelow(folder: string, cwd: string): boolean {
  // In the root folder everything would be below it.
  if (resolve(cwd) === resolve(sep)) return false;
  const way = relative(cwd, folder);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
