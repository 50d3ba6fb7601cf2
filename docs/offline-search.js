/* Search without a server: pages that a browser opens from the disk may start no worker. There the
   worker's script runs in a hidden frame, which answers in the same way. */

class FrameWorker {
  constructor(url) {
    this.waiting = [];
    this.frame = document.createElement("iframe");
    this.frame.hidden = true;
    this.frame.addEventListener("load", () => this.load(new URL(url, document.baseURI)), {
      once: true,
    });
    document.body.append(this.frame);
  }

  load(url) {
    const inner = this.frame.contentWindow;
    inner.postMessage = (data) => setTimeout(() => this.onmessage?.({ data }));
    const script = inner.document.createElement("script");
    script.src = url;
    script.addEventListener("error", (event) => this.onerror?.(event));
    script.addEventListener("load", () => {
      this.inner = inner;
      this.waiting.forEach((data) => this.postMessage(data));
    });
    inner.document.body.append(script);
  }

  postMessage(data) {
    if (this.inner) setTimeout(() => this.inner.onmessage({ data }));
    else this.waiting.push(data);
  }

  terminate() {
    this.frame.remove();
  }
}

if (location.protocol === "file:") window.Worker = FrameWorker;
