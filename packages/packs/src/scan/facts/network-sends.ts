import { isMessage, isPattern, isTaught } from "../context/teaching-context.ts";
import type { FactCollector } from "../scan-check.ts";
import { BOT_ADDRESS, isCaptureHost, targetsOf } from "./hosts.ts";

const SENDS = new RegExp(
  [
    String.raw`\b(?:requests|httpx|session|client|aiohttp|axios|http|got|ky|needle|superagent|pool|sess|s)\.(?:post|put|patch|request)\b`,
    String.raw`\.(?:post|put)\(\s*f?["']http`,
    String.raw`urlopen\([^\n]{0,120}(?:data|,\s*\w*(?:body|payload|post))|urllib\.request\.request\([^\n]{0,160}(?:data\s*=|method\s*=\s*["'](?:post|put))|\brequest\([^\n]{0,120}data\s*=`,
    String.raw`urlopen\(\s*f?["'][^\n]{0,120}[?&][^\n]{0,60}(?:["']\s*\+|\{)`,
    String.raw`method["']?\s*[:=]\s*["'](?:post|put|patch)["']`,
    String.raw`\bsendbeacon\(|\bnew websocket\(|\bxmlhttprequest\b|\.open\(\s*["']post`,
    String.raw`\bhttps?\.(?:request|get)\(|\bfetch\(\s*[\x60"'][^\n]{0,160}(?:\$\{|["']\s*\+)`,
    String.raw`\bcurl\b[^\n|;]{0,300}(?:\s-d\b|\s--data|\s-f\s|\s-f["'@\w]+=|\s--form|\s-t\s|\s--upload-file|\s-x\s{0,2}(?:post|put)|\s--request\s+(?:post|put)|[?&/=][^\s]{0,80}[$]\(|[$]\(|\s--json\b|\x60)`,
    String.raw`\bcurl\b[^\n|;]{0,200}[?&]\w{1,20}=[$]\{?\w`,
    String.raw`\s--data(?:-binary|-raw|-urlencode)?\s+@|\s--upload-file\b|\s--post-(?:data|file)\b|\s--body-(?:data|file)\b`,
    String.raw`\b(?:nc|ncat|netcat|socat)\s+(?:-\w+\s+){0,4}[\w.$"{}-]{1,80}\s+[\d$]`,
    String.raw`/dev/(?:tcp|udp)/`,
    String.raw`\b(?:scp|rsync)\b[^\n]{0,200}\s[\w.$"{}-]{1,60}@?[\w.$"{}-]{1,80}:`,
    String.raw`\b(?:invoke-(?:webrequest|restmethod)|iwr|irm)\b[^\n]{0,200}-(?:method\s+["']?(?:post|put)|body|infile)`,
    String.raw`\buploadstring\(|\buploaddata\(|\buploadfile\(|webclient\)\.upload`,
    String.raw`\bsmtplib\.|\bsendmail\(|\bftplib\.|\bstorbinary\(|\bparamiko\.|\bnet::http(?:\.post|::post)|\bhttp::tiny|\blwp::useragent|->post\(|\bnet::smtp`,
    String.raw`\bsocket\.(?:socket|create_connection)\(|\bnet\.(?:connect|createconnection|socket)\b|\.sendall\(|\.sendto\(|\btcpsocket\.(?:new|open)|\bio::socket|\bdgram\.`,
    String.raw`http\.client\.https?connection|\bmultipart/form-data\b`,
  ].join("|"),
);
const HOST_OPTION =
  /\b(?:host|hostname|https?connection)["']?\s*[:=(]\s*["'`]([\w-]{1,63}(?:\.[\w-]{1,63}){1,6})["'`]/g;
/** A command in the running text or in a hook of the frontmatter. */
const COMMAND = /(?:^|[`"'|:$])\s{0,8}(?:curl|wget|cat|tar|env|printenv|nc|base64)\s/;

export const networkSends: FactCollector = {
  words: [
    "requests.",
    "httpx",
    "session.p",
    "client.p",
    "aiohttp",
    "axios",
    ".post(",
    ".put(",
    "urlopen",
    "urllib",
    "method",
    "sendbeacon",
    "websocket",
    "xmlhttprequest",
    "http.request",
    "https.request",
    "https.get",
    "http.get",
    "fetch(",
    "curl",
    "wget",
    "--data",
    "--upload-file",
    "--post-",
    " nc ",
    "|nc ",
    "nc -",
    "ncat",
    "netcat",
    "socat",
    "/dev/tcp",
    "/dev/udp",
    "scp ",
    "rsync",
    "invoke-web",
    "invoke-rest",
    "iwr ",
    "irm ",
    "uploadstring",
    "uploaddata",
    "uploadfile",
    "smtplib",
    "sendmail",
    "ftplib",
    "paramiko",
    "net::http",
    "http::tiny",
    "lwp::",
    "->post",
    "socket.",
    "sendall(",
    "sendto(",
    "net.connect",
    "net.createconnection",
    "tcpsocket",
    "io::socket",
    "dgram.",
    "http.client",
    "got(",
    "multipart/form",
    "needle.",
    "got.",
    "ky.",
  ],
  collect: (line) => {
    const call = /\b(?:request|urlopen)\(/.exec(line.text);
    const posts =
      call !== null && /\bdata\s*=|\bmethod\s*=\s*["'](?:post|put)/.test(line.around(0, 6));
    const at = posts ? call.index : line.text.search(SENDS);
    if (at === -1 || line.zone === "comment" || (line.isProse && !COMMAND.test(line.text))) return;
    if (
      line.file.kind === "script" &&
      ((isPattern(line) && !/\bcurl\b[^\n]{0,80}http/.test(line.text)) || isMessage(line, at))
    )
      return;
    if (line.file.kind === "prose" && isTaught(line)) return;
    const near = line.around(3, 3);
    const options = /\brequest\(|\b(?:connect|connection)\(|https?connection/.test(line.text)
      ? [...line.around(6, 6).matchAll(HOST_OPTION)].map(([, host = ""]) => host)
      : [];
    const hosts = [...new Set([...targetsOf(near).map(({ host }) => host), ...options])];
    const isCapture = hosts.some(isCaptureHost) || BOT_ADDRESS.test(near);
    line.file.skill.noteSend({ line, hosts, isCapture });
  },
};
