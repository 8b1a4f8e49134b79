/** How loud a sound is, for marks that move with a voice. */

const BINS = 64;

export class Loudness {
  private readonly audio = new AudioContext();
  private readonly analyser = this.audio.createAnalyser();
  private readonly bins = new Uint8Array(new ArrayBuffer(BINS));

  constructor() {
    this.analyser.fftSize = 2 * BINS;
  }

  /** Measure this stream, too. */
  listenTo(stream: MediaStream): void {
    this.audio.createMediaStreamSource(stream).connect(this.analyser);
  }

  /** Measure what a player plays, which is then heard through here. */
  playThrough(player: HTMLAudioElement): void {
    const connect = (): void => {
      this.audio.createMediaElementSource(player).connect(this.analyser).connect(this.audio.destination);
    };
    // Not before it runs: a browser that does not let it run would be silent.
    void this.audio.resume().then(connect, () => undefined);
  }

  /** Return how loud it is, 0 to 1: the mean of the bytes of all frequencies. */
  level(): number {
    this.analyser.getByteFrequencyData(this.bins);
    return this.bins.reduce((sum, byte) => sum + byte, 0) / this.bins.length / 255;
  }

  close(): void {
    void this.audio.close();
  }
}
