const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const URI = /^[a-z][a-z0-9+.-]*:(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The formats that are checked, by their names in JSON Schema. */
export const FORMATS = new Map([
  ["date", isDate],
  ["time", isTime],
  [
    "date-time",
    (text) => /[Tt]/.test(text[10] ?? "") && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  ],
  ["email", (text) => text.length <= 320 && EMAIL.test(text)],
  ["uri", (text) => URI.test(text)],
  ["uuid", (text) => UUID.test(text)],
]);

function isDate(text) {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number);
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const last = month === 2 && isLeap ? 29 : DAYS[month - 1];
  return last !== undefined && day >= 1 && day <= last;
}

function isTime(text) {
  const match = TIME.exec(text);
  if (match === null) return false;
  const [hour, minute, second, zoneHour = 0, zoneMinute = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  return hour < 24 && minute < 60 && second <= 60 && zoneHour < 24 && zoneMinute < 60;
}
