#include <iostream>

int main() {
    int laps, n, x, y, vx, vy, angle, gate, xs[9], ys[9];
    std::cin >> laps >> n;
    for (int i = 0; i < n; i++) std::cin >> xs[i] >> ys[i];
    for (int pod = 0; std::cin >> x >> y >> vx >> vy >> angle >> gate; pod = (pod + 1) % 4)
        if (pod < 2) std::cout << xs[gate] - 3 * vx << ' ' << ys[gate] - 3 * vy << " 100" << std::endl;
}
