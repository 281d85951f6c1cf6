// Calls ShouldRateLimit on one connection, and cancels some of the calls: node cancel.js PORT CALLS EVERY MESSAGE_IN_BASE64
// Prints how the calls ended, as JSON: {"answered":9500,"cancelled":500,"failed":0,"first":""}
const grpc = require('@grpc/grpc-js');

const [port, calls, every] = process.argv.slice(2, 5).map(Number);
const message = Buffer.from(process.argv[5], 'base64');
const METHOD = '/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit';
const IN_FLIGHT = 100;
const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
const ended = { answered: 0, cancelled: 0, failed: 0, first: '' };
let begun = 0;
let under = 0;

// The request is on its way, or about to be: each of these is cancelled at another moment.
const later = [process.nextTick, setImmediate, (task) => setImmediate(() => setImmediate(task))];

function next() {
  while (under < IN_FLIGHT && begun < calls) {
    const number = ++begun;
    const cancels = number % every === 0;
    under++;
    const call = client.makeUnaryRequest(METHOD, (bytes) => bytes, (bytes) => bytes, message, (failure) => {
      under--;
      if (cancels) {
        ended.cancelled++;
      } else if (failure) {
        ended.failed++;
        ended.first = ended.first || String(failure);
      } else {
        ended.answered++;
      }
      if (under === 0 && begun === calls) {
        console.log(JSON.stringify(ended));
        client.close();
      } else {
        next();
      }
    });
    if (cancels) {
      later[(number / every) % later.length](() => call.cancel());
    }
  }
}

client.waitForReady(Date.now() + 30_000, (failure) => {
  if (failure) {
    throw failure;
  }
  next();
});
