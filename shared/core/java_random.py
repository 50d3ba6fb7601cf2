"""Random numbers of Java, by which official referees draw (documented with the classes)."""


class JavaRandom:
    """java.util.Random: a linear congruential generator of 48 bits. A subclass with `bits` of its
    own has the other methods upon it.
    """

    MASK = (1 << 48) - 1

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ 0x5DEECE66D) & self.MASK

    def bits(self, n: int) -> int:
        """next(n): n random bits, at most 32."""
        self.state = (self.state * 0x5DEECE66D + 0xB) & self.MASK
        return self.state >> 48 - n

    def below(self, n: int) -> int:
        """nextInt(n): a random int in 0..n-1."""
        bits = self.bits(31)
        if n & (n - 1) == 0:
            return n * bits >> 31
        while bits - bits % n + n - 1 >= 1 << 31:
            bits = self.bits(31)
        return bits % n

    def shuffled(self, values: list) -> list:
        """java.util.Collections.shuffle, in place; returns the list."""
        for i in range(len(values) - 1, 0, -1):
            k = self.below(i + 1)
            values[i], values[k] = values[k], values[i]
        return values
