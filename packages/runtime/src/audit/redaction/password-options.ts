import { ESCAPE_ENDS, ESCAPED, QUOTE } from "./named-values.ts";
import { REDACTED, type TextRule } from "./redactor.ts";

/** Programs with a short option for a password: `-p` means something else to most others. */
interface PasswordOption {
  readonly programs: readonly string[];
  /** Only after this argument: `docker login -p`, not `docker run -p`. */
  readonly command?: "login";
  readonly options: readonly string[];
  /** `attached`: `-pX` only, since `-p X` asks for the password and X is something else. */
  readonly value: "any" | "attached";
  /** Between a user name, which is kept, and the password. */
  readonly behind?: ":" | "%" | ",";
}

const PASSWORD_OPTIONS: readonly PasswordOption[] = [
  {
    programs: `mysql mysqladmin mysqlcheck mysqldump mysqlimport mysqlshow mysqlslap mariadb
      mariadb-admin mariadb-dump 7z 7za 7zr 7zz rar unrar`.split(/\s+/),
    options: ["-p"],
    value: "attached",
  },
  {
    programs: `sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat
      mongotop cqlsh`.split(/\s+/),
    options: ["-p"],
    value: "any",
  },
  {
    programs: `docker podman nerdctl buildah skopeo oras crane helm az oc cf`.split(/\s+/),
    command: "login",
    options: ["-p"],
    value: "any",
  },
  {
    programs: `zip unzip sqlcmd bcp mosquitto_pub mosquitto_sub ipmitool ssh-keygen`.split(/\s+/),
    options: ["-P"],
    value: "any",
  },
  { programs: ["ssh-keygen"], options: ["-N"], value: "any" },
  { programs: ["redis-cli", "redis-benchmark", "valkey-cli"], options: ["-a"], value: "any" },
  {
    programs: `ldapadd ldapcompare ldapdelete ldapmodify ldappasswd ldapsearch ldapwhoami`.split(
      " ",
    ),
    options: ["-w"],
    value: "any",
  },
  { programs: ["curl"], options: ["-u", "--user"], value: "any", behind: ":" },
  { programs: ["curl"], options: ["-U", "--proxy-user"], value: "any", behind: ":" },
  { programs: ["http", "https", "xh"], options: ["-a", "--auth"], value: "any", behind: ":" },
  { programs: ["smbclient", "rpcclient"], options: ["-U", "--user"], value: "any", behind: "%" },
  { programs: ["lftp"], options: ["-u"], value: "any", behind: "," },
];

/** Shorter words behind an option are prose rather than a password. */
const MIN_LENGTH = 3;
const SPACE = String.raw`[ \t]{1,8}`;
/** An argument that ends no command. */
const ARGUMENT = String.raw`${SPACE}(?![|&;])(?!\S{0,300}[;|&][ \t])\S{1,300}`;

/** Each rule finds the first such option of a command: `sshpass -p X ssh -p 22`. */
export const passwordOptions: readonly TextRule[] = PASSWORD_OPTIONS.map((rule) => {
  const { programs, command, options, value, behind } = rule;
  const names = programs.map((name) => name.replace(/[.-]/g, String.raw`\$&`)).join("|");
  const program = String.raw`(?:(?<![\w.-])|(?<=${ESCAPED}))(?:${names})(?:\.exe)?`;
  const reach = command === undefined ? "" : String.raw`(?:${ARGUMENT}){0,4}?${SPACE}${command}`;
  const gap = value === "attached" ? "" : String.raw`(?:${SPACE}|=)?`;
  const user = behind === undefined ? "" : `(?:${QUOTE})?[^\\s"'\\\\${behind}]{0,200}${behind}`;
  const option = String.raw`${SPACE}(?:${options.map((one) => optionSource(one, rule)).join("|")})${gap}${user}`;
  const start = `${program}${reach}(?:${ARGUMENT}){0,30}?${option}(?:${QUOTE})?`;
  const quoted = String.raw`(?<=["'])[^"'\\\r\n]{${MIN_LENGTH},4000}`;
  const bare = String.raw`(?![-"'\\])(?:[^\s"'\\]|${ESCAPE_ENDS}){${MIN_LENGTH},4000}`;
  return {
    expression: new RegExp(`(${start})(?:${quoted}|${bare})`, "g"),
    needs: ["-"],
    replacement: `$1${REDACTED}`,
  };
});

/** Finds the same passwords in an argument list, which is given one argument after the other. */
export class ArgumentList {
  #rules: readonly PasswordOption[] = [];
  #isLogin = false;
  #pending: PasswordOption | undefined;
  #before = "";

  /** The argument, without the password that it holds; undefined when it holds none. */
  redact(argument: string): string | undefined {
    const { pending, before } = { pending: this.#pending, before: this.#before };
    this.#pending = undefined;
    this.#before = argument;
    // `--pass 2` is the second pass of an encoder.
    if (before === "--pass" && !/^\d{0,2}$/.test(argument)) return REDACTED;
    if (/^-pass(?:in|out)?$/.test(before) && argument.startsWith("pass:"))
      return `pass:${REDACTED}`;
    if (pending !== undefined) return withoutPassword(argument, pending);
    const name = argument.slice(argument.lastIndexOf("/") + 1).replace(/\.exe$/, "");
    const rules = PASSWORD_OPTIONS.filter(({ programs }) => programs.includes(name));
    if (rules.length > 0) {
      this.#rules = rules;
      this.#isLogin = false;
      return undefined;
    }
    if (/^[|&;]|;$/.test(argument)) this.#rules = [];
    if (argument === "login") this.#isLogin = true;
    if (!argument.startsWith("-")) return undefined;
    return this.#readOption(argument);
  }

  #readOption(argument: string): string | undefined {
    for (const rule of this.#rules) {
      const option = rule.options
        .map((one) => new RegExp(`^${optionSource(one, rule)}`).exec(argument)?.[0])
        .find((found) => found !== undefined);
      if (option === undefined || (rule.command === "login" && !this.#isLogin)) continue;
      const rest = argument.slice(option.length);
      if (rest === "" && rule.value === "attached") continue;
      if (rest !== "" && option.startsWith("--") && !rest.startsWith("=")) continue;
      this.#rules = this.#rules.filter((one) => one !== rule);
      if (rest === "") this.#pending = rule;
      else return option + (withoutPassword(rest, rule) ?? rest);
    }
    return undefined;
  }
}

/** Only where the value has a mark of its own are other letters before the option's taken for options. */
function optionSource(option: string, { behind }: PasswordOption): string {
  const isShort = /^-[a-zA-Z]$/.test(option);
  return isShort && behind !== undefined ? `-[a-zA-Z#]{0,8}?${option.slice(1)}` : option;
}

function withoutPassword(value: string, { behind }: PasswordOption): string | undefined {
  const mark = value.startsWith("=") ? "=" : "";
  if (behind === undefined) return mark + REDACTED;
  const at = value.indexOf(behind);
  return at === -1 ? undefined : value.slice(0, at + 1) + REDACTED;
}
