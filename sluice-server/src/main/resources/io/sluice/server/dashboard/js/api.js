// Calls the API. A failed call throws a Problem with a sentence to show.

export class Problem extends Error {
  constructor(status, detail, body, etag) {
    super(detail);
    this.status = status;
    this.body = body;
    this.etag = etag;
  }
}

/** A connection may be dead without an error, such as after a laptop slept. */
const PATIENCE = 30000;

let ended = () => {};
/** Says whom to tell that the session has ended. */
export const onSessionEnd = (f) => { ended = f; };

export async function call(method, path, { json, text, headers, quiet401, patience = PATIENCE } = {}) {
  const options = { method, headers: { "Sluice-Csrf": "1", Accept: "application/json", ...headers }, credentials: "same-origin", signal: AbortSignal.timeout(patience) };
  if (json !== undefined) {
    options.body = JSON.stringify(json);
    options.headers["Content-Type"] = "application/json";
  } else if (text !== undefined) {
    options.body = text;
    options.headers["Content-Type"] = "application/yaml";
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Problem(0, "The server does not answer.");
  }
  const type = response.headers.get("Content-Type") ?? "";
  const body = await (type.includes("json") ? response.json() : response.text()).catch(() => null);
  if (!response.ok && response.status !== 304) {
    if (response.status === 401 && !quiet401) ended();
    throw new Problem(response.status, body?.detail ?? `The server answered ${response.status}.`, body, response.headers.get("ETag"));
  }
  return { body, etag: response.headers.get("ETag"), status: response.status };
}

export const get = async (path, options) => (await call("GET", path, options)).body;
export const post = async (path, json) => (await call("POST", path, { json })).body;
