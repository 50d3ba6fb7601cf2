def total(line):
    return sum(map(int, line.split()))
